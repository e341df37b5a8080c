import { useTranslation } from 'react-i18next';
import type { ManagingScreen } from '../../../actions/bridge.ts';
import { formatRoute } from '../../base/address.ts';
import { useFormats } from '../../base/format.ts';
import {
  type Icon,
  IconAlertTriangle,
  IconChevronRight,
  IconHelp,
  IconMessage2,
  IconUsers,
} from '../../base/icons.ts';
import { useRoute } from '../../base/navigation.ts';
import { useAnnounced } from '../../data/announced.ts';
import { useFollowed } from '../../data/followed.ts';
import { hostOf, useMirror } from '../../data/mirror-context.ts';
import { usePlaceWords } from '../../data/subscriptions.ts';
import { useFilesInTrouble } from '../../manage/nav.tsx';
import { useMaybeDesktop } from '../../manage/parts/desktop-provider.tsx';
import { useReceivedProposals } from '../../manage/parts/received-proposals.tsx';

/** Something that waits for a person, in words, with the screen that answers it. */
type Waiting = {
  readonly name: 'question' | 'address' | 'change' | 'proposal' | 'file';
  readonly Icon: Icon;
  readonly count: number;
  readonly about: string;
  readonly manage: ManagingScreen;
};

/** Returns what waits, without what has nothing. */
function useWaiting(): readonly Waiting[] {
  const { t, i18n } = useTranslation(['waits', 'message']);
  const mirror = useMirror();
  const { changes } = useAnnounced();
  const { count: proposals, names } = useReceivedProposals();
  const files = useFilesInTrouble();
  // Their questions have a card of their own.
  const calendars = useFollowed().calendars.filter(({ state }) => state === 'trouble');
  const wordPlace = usePlaceWords();
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' });
  const kinds = [...new Set(changes.map(({ kind }) => (kind === 'again' ? 'new' : kind)))];
  const questions = mirror ? [mirror.question, mirror.isPaused, mirror.isKeyMissing] : [];
  const all: readonly Waiting[] = [
    {
      name: 'question',
      Icon: IconHelp,
      count: questions.filter(Boolean).length,
      about: mirror ? hostOf(mirror) : '',
      manage: 'sources',
    },
    {
      name: 'address',
      Icon: IconAlertTriangle,
      count: calendars.length,
      about: list.format(calendars.map((one) => one.name)),
      manage: 'sources',
    },
    {
      name: 'change',
      Icon: IconMessage2,
      count: changes.length,
      about: kinds.map((kind) => t(`message:${kind}`)).join(', '),
      manage: 'message',
    },
    {
      name: 'proposal',
      Icon: IconUsers,
      count: proposals,
      about: t('from', { names: list.format(names) }),
      manage: 'proposals',
    },
    {
      name: 'file',
      Icon: IconAlertTriangle,
      count: files.length,
      about: list.format(files.map(wordPlace)),
      manage: 'share',
    },
  ];
  return all.filter(({ count }) => count > 0);
}

function Waits() {
  const { t } = useTranslation('waits');
  const formats = useFormats();
  const route = useRoute();
  const waiting = useWaiting();
  if (waiting.length === 0) return null;
  const things = { count: waiting.length, shown: formats.number(waiting.length) };
  return (
    <section className="card news" aria-labelledby="waits-title">
      <h3 id="waits-title">{t('things', things)}</h3>
      <ul className="ruled waits">
        {waiting.map(({ name, Icon: WaitIcon, count, about, manage }) => (
          <li key={name}>
            <a className="card-link" href={formatRoute({ ...route, manage })}>
              <WaitIcon size={18} stroke={1.75} aria-hidden />
              <span>
                <strong>{t(name, { count, shown: formats.number(count) })}</strong>{' '}
                <span className="small quiet">{about}</span>
              </span>
              <IconChevronRight size={16} stroke={1.75} aria-hidden />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Everything that waits for a person in the desktop window; nothing if nothing does. */
export function WaitsCard() {
  return useMaybeDesktop() === undefined ? null : <Waits />;
}
