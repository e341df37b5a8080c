import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../actions/bridge.ts';
import { problemMessage } from '../../../messages/message.ts';
import { useFormats } from '../../base/format.ts';
import { useWords } from '../../base/i18n.ts';
import { IconUsers } from '../../base/icons.ts';
import { goTo } from '../../base/navigation.ts';
import { useActionQuery } from './action-hooks.ts';
import { useApplication } from './desktop-provider.tsx';
import { ErrorMessage } from './parts.tsx';

/** A proposal of another computer or of an assistant. */
export type Received = ActionResult<'proposal review'>['proposals'][number];

/** Interval between two looks for proposals, in milliseconds. */
const lookMs = 30_000;

/** Reads the proposals for the open club: beside the copies that it keeps up to date, and of assistants. */
export function useReceivedProposals() {
  const { t, i18n } = useTranslation('proposals');
  const formats = useFormats();
  const { club } = useApplication();
  const user = club?.name ?? '';
  const published = useActionQuery(
    'publish list',
    { user },
    { enabled: club !== null, isInBackground: true },
  );
  // Each look starts a thread, which a club needs only if proposals can arrive.
  const canArrive =
    club?.assistantProposes === true ||
    published.data?.files.some(
      ({ format, target }) => format === 'json' && target.kind === 'folder',
    ) === true;
  const { data } = useActionQuery(
    'proposal review',
    { user },
    {
      enabled: club !== null,
      isInBackground: true,
      ...(canArrive && { intervalMs: lookMs }),
    },
  );
  const received: readonly Received[] = data?.proposals ?? [];
  const names = [...new Set(received.map(({ sender }) => sender))];
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' }).format(names);
  const count = received.length;
  const title = t('received', { count, shown: formats.number(count), names: list });
  const { unreadable = [], areMany = false } = data ?? {};
  return { received, unreadable, areMany, count, names, title };
}

/** The files beside a copy from which no proposals are read. */
export function UnreadableFiles(props: {
  readonly files: ReturnType<typeof useReceivedProposals>['unreadable'];
}) {
  const { files } = props;
  const words = useWords();
  // The export tells of a folder that is gone.
  const damaged = files.filter(({ problem }) => /^proposal_|^place_not_a_file$/.test(problem.code));
  return damaged.map(({ path, problem }) => (
    <ErrorMessage key={path}>{words(problemMessage(problem))}</ErrorMessage>
  ));
}

/** The way to the proposals that wait. */
export function WaitingProposals() {
  const { t } = useTranslation('proposals');
  const { title, count, unreadable } = useReceivedProposals();
  return (
    <>
      <UnreadableFiles files={unreadable} />
      {count > 0 && (
        <div className="cluster notice">
          <IconUsers size={20} stroke={1.75} aria-hidden />
          <p>{title}</p>
          <Button
            className="small-button"
            variant="default"
            onClick={() => goTo({ manage: 'proposals' })}
          >
            {t('answer')}
          </Button>
        </div>
      )}
    </>
  );
}
