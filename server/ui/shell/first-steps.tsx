import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { focusContent } from '../base/browser.ts';
import { IconSparkles } from '../base/icons.ts';
import { goTo } from '../base/navigation.ts';
import { useVisibleEvents } from '../data/visible-events.tsx';
import { firstSteps, Notice } from '../manage/parts/desktop-notices.tsx';

/** The next steps of a new user once there are events; without any, the empty list says more. */
export function FirstSteps() {
  const { t } = useTranslation(['manage', 'download']);
  const { all } = useVisibleEvents();
  const startedWith = firstSteps.use();
  const hasEvents = all !== undefined && all.total > 0;
  if (startedWith === null || !hasEvents) return null;
  const finish = () => firstSteps.set(null);
  const close = () => {
    finish();
    focusContent();
  };
  const printMonth = () => {
    finish();
    goTo({ sheet: 'month' });
  };
  const giveSeason = () => {
    finish();
    goTo({ manage: 'share' });
  };
  return (
    <Notice icon={IconSparkles} message={t(`manage:${startedWith}FirstSteps`)} onClose={close}>
      <Button size="compact-sm" variant="default" onClick={printMonth}>
        {t('download:month')}
      </Button>
      <Button size="compact-sm" variant="default" onClick={giveSeason}>
        {t('manage:giveSeason')}
      </Button>
    </Notice>
  );
}
