import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { focusContent } from '../base/browser.ts';
import { useFormats } from '../base/format.ts';
import { IconDeviceLaptop } from '../base/icons.ts';
import { hostOf, useMirror } from '../data/mirror-context.ts';
import { isOpen, useProposals } from '../data/proposals.ts';

/** The meaning of a change in a copy, with a button to only look; or the way back to the proposals. */
export function ProposalsNote() {
  const { t } = useTranslation('proposals');
  const formats = useFormats();
  const mirror = useMirror();
  const proposals = useProposals();
  if (proposals === undefined || !mirror) return null;
  const { list, isOn, setOn } = proposals;
  const count = list.filter(isOpen).length;
  if (!isOn && count === 0) return null;
  const toggle = () => {
    setOn(!isOn);
    focusContent();
  };
  return (
    <div className="cluster notice is-quiet">
      <IconDeviceLaptop size={20} stroke={1.75} aria-hidden />
      <p>
        {isOn
          ? t('isCopy', { name: hostOf(mirror) })
          : t('kept', { count, shown: formats.number(count) })}
      </p>
      <Button className="small-button" variant="default" onClick={toggle}>
        {t(isOn ? 'onlyLook' : 'show')}
      </Button>
    </div>
  );
}
