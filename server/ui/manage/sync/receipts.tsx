import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ActionResult } from '../../../actions/bridge.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { useNow } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { capitalize } from '../../base/i18n.ts';
import { goTo } from '../../base/navigation.ts';
import type { Mirror } from '../../data/mirror-context.ts';
import { useActionQuery } from '../parts/action-hooks.ts';
import { useChangeWords } from '../parts/change-words.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { CopyButton, ErrorNotice } from '../parts/parts.tsx';
import { Card, useProblemWords } from './sync-parts.tsx';

type Receipt = ActionResult<'mirror receipts'>['receipts'][number];

/** The time in which a sync may still work after its receipt, in milliseconds. */
const sameSyncMs = 60_000;

/** A line of the list: the time, then what happened. */
function ReceiptLine(props: {
  readonly at: string;
  readonly from?: string | undefined;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}) {
  const { at, from, aside, children } = props;
  const formats = useFormats();
  const now = useNow();
  return (
    <li className="sync-receipt">
      <span className="small quiet">
        {capitalize(formats.recentMoment(at, now))}
        {from !== undefined && (
          <>
            <br />
            <span dir="auto">{from}</span>
          </>
        )}
      </span>
      <div>{children}</div>
      {aside}
    </li>
  );
}

/** The outcome of the last sync of a service, if it changed nothing: a problem, or “Nothing new”. */
function LastOutcome({ mirror, newest }: { readonly mirror: Mirror; readonly newest?: Receipt }) {
  const { t } = useTranslation('sync');
  const formats = useFormats();
  const now = useNow();
  const describe = useProblemWords();
  const { problem, succeededAt, nextAt, question } = mirror;
  if (problem !== null) {
    return (
      <ReceiptLine at={problem.since}>
        <p>{describe(mirror)}</p>
        {succeededAt !== null && (
          <p className="small quiet">
            {t('lastSynced', {
              when: formats.recentMoment(succeededAt, now),
              ago: formats.distance(succeededAt, now),
            })}
          </p>
        )}
        {question === null && (
          <p className="small quiet">
            {t('nothingLost', { when: formats.recentMoment(nextAt, now) })}
          </p>
        )}
      </ReceiptLine>
    );
  }
  const isNews =
    newest !== undefined &&
    succeededAt !== null &&
    Date.parse(succeededAt) - Date.parse(newest.createdAt) < sameSyncMs;
  if (succeededAt === null || isNews) return null;
  return (
    <ReceiptLine at={succeededAt}>
      <p>{t('nothingNew')}</p>
    </ReceiptLine>
  );
}

/** The changes of one sync, each with the name of its event. */
function ReceiptItem(props: {
  readonly receipt: Receipt;
  readonly isService: boolean;
  /** The name of its calendar; absent in a mirror, which has one source. */
  readonly from?: string | undefined;
}) {
  const { receipt, isService, from } = props;
  const { t } = useTranslation(['sync', 'undoNotice']);
  const formats = useFormats();
  const { describeEvent } = useChangeWords();
  const { createdAt, added, changed, removed } = receipt;
  const changes = receipt.changes.map(({ before, after }) => ({
    id: (after ?? before)?.id ?? 0,
    isGone: after === null,
    words: describeEvent({ ...(before && { before }), ...(after && { after }) }),
  }));
  const left = added + changed + removed - changes.length;
  // A first sync, or a search for older events.
  if (left > 0 && changed + removed === 0) {
    return (
      <ReceiptLine at={createdAt} from={from}>
        <p>{t('received', { count: added, shown: formats.number(added) })}</p>
      </ReceiptLine>
    );
  }
  const message = changes.flatMap(({ words }) => words.message ?? []).join('\n\n');
  const copy = left === 0 && message !== '' && (
    <CopyButton text={message} label={t('undoNotice:copy')} />
  );
  return (
    <ReceiptLine at={createdAt} from={from} aside={copy}>
      {changes.map(({ id, isGone, words }) => (
        <p key={id} dir="auto">
          {isGone ? (
            <strong>{words.title}</strong>
          ) : (
            <LinkButton onClick={() => goTo({ manage: null, event: id })}>{words.title}</LinkButton>
          )}
          : {words.text}
        </p>
      ))}
      {isService && changes.some(({ isGone }) => isGone) && (
        <p className="small quiet">{t('removalProven')}</p>
      )}
      {left > 0 && (
        <p className="quiet">{t('more', { count: left, shown: formats.number(left) })}</p>
      )}
    </ReceiptLine>
  );
}

/** The card with the last syncs, newest first: of a mirror, or of the calendars that a club follows. */
export function ReceiptsCard({ mirror }: { readonly mirror: Mirror | null }) {
  const { t } = useTranslation('sync');
  const { club } = useDesktop();
  const { data, error } = useActionQuery('mirror receipts', { user: club.name });
  const receipts = data?.receipts ?? [];
  const [newest] = receipts;
  const isService = mirror !== null && mirror.kind !== 'file';
  if (mirror === null && newest === undefined) return null;
  return (
    <Card
      title={t(mirror?.kind === 'file' ? 'receiptsFile' : 'receipts')}
      aside={
        <LinkButton className="small" onClick={() => goTo({ manage: 'history' })}>
          {t('fullHistory')}
        </LinkButton>
      }
    >
      <ErrorNotice error={error} />
      {data && (
        <ol className="ruled sync-receipts">
          {isService && <LastOutcome mirror={mirror} {...(newest && { newest })} />}
          {receipts.map((receipt) => (
            <ReceiptItem
              key={receipt.id}
              receipt={receipt}
              isService={isService}
              from={mirror === null ? receipt.source : undefined}
            />
          ))}
        </ol>
      )}
    </Card>
  );
}
