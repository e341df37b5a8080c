import { Button } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { KeyInput } from '../../base/key-input.tsx';
import { goTo } from '../../base/navigation.ts';
import { hostOf, type Mirror } from '../../data/mirror-context.ts';
import { useAction } from '../parts/action-hooks.ts';
import { useClubText, useDesktop } from '../parts/desktop-provider.tsx';
import { Confirmation } from '../parts/parts.tsx';
import { Card, useIsAutomatic } from './sync-parts.tsx';

/** Asks for another key of the service. It is never stored before it is saved. */
export function KeyQuestion(props: {
  readonly mirror: Mirror;
  readonly isOpen: boolean;
  readonly onSaved: (isOldKeyClosed: boolean) => void;
  readonly onClose: () => void;
}) {
  const { mirror, isOpen, onSaved, onClose } = props;
  const { t } = useTranslation(['sync', 'connect']);
  const { club, state } = useDesktop();
  const changing = useAction('mirror key change');
  const [text, setText, forget] = useClubText('another key', { isSecret: true });
  const [isMissing, setMissing] = useState(false);
  const key = text.trim();
  const save = async () => {
    setMissing(key === '');
    if (key === '') return;
    // The shell chooses the place of the key.
    const changed = await changing.run({ user: club.name, key });
    if (changed === undefined) return;
    forget();
    onSaved(changed.isOldKeyClosed);
  };
  return (
    <Confirmation
      isOpen={isOpen}
      title={t('keyTitle', { host: hostOf(mirror) })}
      confirm={t('saveKey')}
      task={changing}
      isReversible
      onConfirm={() => void save()}
      onClose={() => {
        forget();
        setMissing(false);
        onClose();
      }}
    >
      <form
        noValidate
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          void save();
        }}
      >
        <KeyInput
          label={t('key')}
          description={t(state.keyStore === 'run' ? 'connect:keyForRun' : 'connect:keyHelp')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={text}
          error={isMissing && t('connect:noKey')}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
    </Confirmation>
  );
}

/** Asks before a club stops to follow its service or file. */
function StopQuestion(props: {
  readonly mirror: Mirror;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const { mirror, isOpen, onClose } = props;
  const { t } = useTranslation('sync');
  const { club } = useDesktop();
  const stopping = useAction('mirror remove');
  const stop = async () => {
    if ((await stopping.run({ user: club.name })) !== undefined) onClose();
  };
  return (
    <Confirmation
      isOpen={isOpen}
      title={t('stopTitle', { host: hostOf(mirror) })}
      confirm={t('stopNow')}
      task={stopping}
      onConfirm={() => void stop()}
      onClose={onClose}
    >
      <p>{t(mirror.kind === 'file' ? 'stopWhatFile' : 'stopWhat')}</p>
      {mirror.kind === 'service' && <p>{t('stopKeys')}</p>}
    </Confirmation>
  );
}

/** Returns the interval of syncs in words. */
function useIntervalWords(): string {
  const { t } = useTranslation('sync');
  const { syncMinutes } = useDesktop().state.settings;
  if (syncMinutes === null) return t('byHand');
  return syncMinutes === 60 ? t('hourly') : t('every', { minutes: syncMinutes });
}

/** The card with the address, the interval and the key of a service, or with the path of a file. */
export function SourceCard({ mirror }: { readonly mirror: Mirror }) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const now = useNow();
  const { state } = useDesktop();
  const interval = useIntervalWords();
  const [question, setQuestion] = useState<'key' | 'stop' | undefined>();
  const [saved, setSaved] = useState<{ readonly isOldKeyClosed: boolean }>();
  const isAutomatic = useIsAutomatic(mirror);
  const { kind, url, keyStore, isKeyMissing, isKeyForeign, succeededAt, nextAt } = mirror;
  const isFile = kind === 'file';
  const isWeb = url.startsWith('http');
  // It is looked at every two minutes, however long the interval is.
  const isLocalFile = isFile && !isWeb && state.settings.syncMinutes !== null;
  const keyState = isKeyForeign ? 'foreign' : isKeyMissing ? 'missing' : keyStore;
  const moment = (time: string) => formats.recentMoment(time, now);
  const isRead = isFile && succeededAt !== null;
  const facts = [
    [t(isWeb ? 'address' : 'file'), url],
    ...(isRead ? [[t('lastReadFile'), moment(succeededAt)] as const] : []),
    [t(isFile ? 'intervalFile' : 'interval'), isLocalFile ? t('everyFile') : interval],
    ...(isAutomatic ? [[t(isFile ? 'nextAtFile' : 'nextAt'), moment(nextAt)] as const] : []),
    ...(isFile ? [] : [[t('key'), t(`key_${keyState}`)] as const]),
  ] as const;
  return (
    <Card title={t('source')}>
      <dl className="beside sync-facts small">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="flow sync-buttons">
        {!isLocalFile && (
          <Button variant="default" size="compact-sm" onClick={() => goTo({ manage: 'settings' })}>
            {t('changeInterval')}
          </Button>
        )}
        {!isFile && (
          <Button variant="default" size="compact-sm" onClick={() => setQuestion('key')}>
            {t('changeKey')}
          </Button>
        )}
        <Button variant="default" size="compact-sm" onClick={() => setQuestion('stop')}>
          {t('stopFollowing')}
        </Button>
      </div>
      <p role="status" className="small">
        {saved && t('keySaved')} {saved?.isOldKeyClosed && t('oldKeyClosed')}
      </p>
      <KeyQuestion
        mirror={mirror}
        isOpen={question === 'key'}
        onSaved={(isOldKeyClosed) => {
          setQuestion(undefined);
          setSaved({ isOldKeyClosed });
        }}
        onClose={() => setQuestion(undefined)}
      />
      <StopQuestion
        mirror={mirror}
        isOpen={question === 'stop'}
        onClose={() => setQuestion(undefined)}
      />
    </Card>
  );
}
