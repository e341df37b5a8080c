import { NativeSelect } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { makeQrCode } from '../../../export/qr-code.ts';
import { problemMessage } from '../../../messages/message.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { CodePicture } from '../../base/code-picture.tsx';
import { bridge } from '../../base/desktop.ts';
import { Dialog } from '../../base/dialog.tsx';
import { useWords } from '../../base/i18n.ts';
import { goTo } from '../../base/navigation.ts';
import {
  isReached,
  type Subscription,
  shortAddress,
  useSubscriptions,
} from '../../data/subscriptions.ts';
import type { Choices } from './print-choices.ts';
import { useIdentity } from './print-snapshot.ts';

/** Returns a function that names the filter of a file: its words or types; empty for all events. */
function useFilterText(): (file: Subscription) => string {
  const { t } = useTranslation(['print', 'published', 'event']);
  return ({ search, types }) => {
    const words = search === '' ? [] : [t('print:search', { words: search })];
    return [...words, ...types.map((type) => t(`event:${type}`))].join(', ');
  };
}

/** The box at the foot of a sheet, with the code and the address of a file for members. */
function SubscribeBox({ file }: { readonly file: Subscription }) {
  const { t } = useTranslation(['print', 'published']);
  const events = useFilterText()(file) || t('published:everything');
  const address = shortAddress(file.address);
  const code = useMemo(() => makeQrCode(file.address), [file.address]);
  return (
    <div className="sheet-subscribe">
      <CodePicture
        className="sheet-code"
        code={code}
        name={t('print:subscribeCode', { address })}
      />
      <div>
        <p className="sheet-subscribe-title">{t('print:subscribe')}</p>
        <p>
          {t(file.format === 'html' ? 'print:subscribePage' : 'print:subscribeCalendar', {
            events,
          })}
        </p>
        <p className="sheet-address">{address}</p>
      </div>
    </div>
  );
}

/** The chosen file and the choice of it for the sheets of a club. */
type SubscribeChoice = {
  /** All files with an address for members, and those of them that members get. */
  readonly all: readonly Subscription[];
  readonly files: readonly Subscription[];
  /** The file whose code is printed; undefined for none. */
  readonly file: Subscription | undefined;
  /** The box for the sheets; null for none, undefined until the files are read. */
  readonly foot: ReactNode | undefined;
};

/** Returns the files for members of the open club, and the chosen one: by default the first. */
export function useSubscribeChoice({ subscribe }: Pick<Choices, 'subscribe'>): SubscribeChoice {
  const all = useSubscriptions(useIdentity()?.name);
  const files = (all ?? []).filter((each) => each.onSheets && isReached(each));
  const chosen = files.find(({ id }) => id === subscribe) ?? files[0];
  const file = subscribe === 'none' ? undefined : chosen;
  // The same box for the same file, as another one is laid out again.
  const key =
    file && JSON.stringify([file.address, file.format, file.search, file.types, file.team]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key has what the box shows
  const foot = useMemo(() => (file === undefined ? null : <SubscribeBox file={file} />), [key]);
  return { all: all ?? [], files, file, foot: all === undefined ? undefined : foot };
}

/** A link that shows the code of a file large, for the camera of a phone. */
function PhoneTest({ file: { address } }: { readonly file: Subscription }) {
  const { t } = useTranslation(['print', 'manage']);
  const [isOpen, setOpen] = useState(false);
  const code = useMemo(() => makeQrCode(address), [address]);
  const short = shortAddress(address);
  return (
    <>
      <LinkButton onClick={() => setOpen(true)}>{t('print:subscribeTest')}</LinkButton>
      <Dialog
        title={t('print:subscribeTest')}
        close={t('manage:close')}
        size="sm"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        <CodePicture
          className="studio-test-code"
          code={code}
          name={t('print:subscribeCode', { address: short })}
        />
        <p>{t('print:subscribeTestHelp', { address: short })}</p>
      </Dialog>
    </>
  );
}

/** The choice of a code to subscribe; without a file for members, a way to add one. */
export function SubscribeField(props: {
  readonly choice: SubscribeChoice;
  readonly onChange: (change: Pick<Choices, 'subscribe'>) => void;
}) {
  const { choice, onChange } = props;
  const { all, files, file } = choice;
  const { t } = useTranslation(['print', 'published']);
  const words = useWords();
  const filterOf = useFilterText();
  // A browser shows no files.
  if (bridge === undefined) return null;
  const troubles = all
    .filter((each) => each.onSheets && !isReached(each))
    .map(({ id, address, addressCheck }) => (
      <p key={id} className="small studio-problem">
        {shortAddress(address)}:{' '}
        {addressCheck?.problem
          ? words(problemMessage(addressCheck.problem))
          : t('print:subscribeUnchecked')}
      </p>
    ));
  if (files.length === 0) {
    return (
      <div>
        <p className="studio-label">{t('print:subscribeField')}</p>
        <p className="small studio-kept">
          {all.length === 0 && t('print:subscribeMissing')}
          {all.length > 0 && !all.some(({ onSheets }) => onSheets) && t('print:subscribeOff')}{' '}
          <LinkButton onClick={() => goTo({ manage: 'share', sheet: null })}>
            {t('print:subscribeAdd')}
          </LinkButton>
        </p>
        {troubles}
      </div>
    );
  }
  const nameOf = (each: Subscription) =>
    [t(each.format === 'html' ? 'published:page' : 'published:calendar'), filterOf(each)]
      .filter((text) => text !== '')
      .join(' · ');
  return (
    <div>
      <NativeSelect
        label={t('print:subscribeField')}
        value={file === undefined ? 'none' : String(file.id)}
        onChange={({ currentTarget: { value } }) =>
          onChange({ subscribe: value === 'none' ? 'none' : Number(value) })
        }
        data={[
          ...files.map((each) => ({ value: String(each.id), label: nameOf(each) })),
          { value: 'none', label: t('print:subscribeNone') },
        ]}
      />
      {file && (
        <p className="small studio-kept">
          {shortAddress(file.address)} · <PhoneTest file={file} />
        </p>
      )}
      {troubles}
    </div>
  );
}
