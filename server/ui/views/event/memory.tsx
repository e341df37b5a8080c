import './changes.css';
import { useMediaQuery } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Event } from '../../../http/contract.ts';
import { LinkButton } from '../../base/buttons.tsx';
import { useToday } from '../../base/days.ts';
import { useFormats } from '../../base/format.ts';
import { IconCalendarRepeat, IconChevronDown } from '../../base/icons.ts';
import { goTo, useRoute } from '../../base/navigation.ts';
import { useAnnounced } from '../../data/announced.ts';
import {
  type Editor,
  editedSince,
  noSelection,
  selectedEvents,
  useEditor,
} from '../../data/editor.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { useMove, useNewSentences } from './changes.tsx';
import { Fact } from './details.tsx';

export type Memory = Awaited<ReturnType<Editor['together']>>;
const none: Memory = { ids: [], edited: [], moves: [] };

/** Reads the moves of an event, and the events that were added together with it. */
export function useMemory({ id }: Event): Memory {
  const editor = useEditor();
  const { all } = useVisibleEvents();
  const [found, setFound] = useState<Memory & { readonly of: number }>({ ...none, of: id });
  // An edit of one of them may be why they are read again.
  useEffect(() => {
    if (all === undefined) return;
    let isGone = false;
    const show = (memory: Memory) => {
      if (!isGone) setFound({ ...memory, of: id });
    };
    // Without an answer there is nothing to show.
    editor?.together(id).then(show, () => show(none));
    return () => {
      isGone = true;
    };
  }, [editor, id, all]);
  return found.of === id ? found : none;
}

/** Windows in which the panel lies over the list. */
const coveredList = '(max-width: 67.5rem)';

/** The events that were added together with one, to select those to come in the list. */
export function AddedTogether({ memory: { ids, edited } }: { readonly memory: Memory }) {
  const { t } = useTranslation('panel');
  const { number } = useFormats();
  const { all } = useVisibleEvents();
  const selected = selectedEvents.use();
  const { view } = useRoute();
  const coversList = useMediaQuery(coveredList, false, { getInitialValueInEffect: false });
  // Without those that were deleted meanwhile.
  const events = ids.flatMap((id) => all?.byId.get(id) ?? []);
  if (events.length < 2) return null;
  const now = new Date().toISOString();
  const coming = events.filter(({ date }) => date >= now);
  const isPartly = coming.length > 0 && coming.length < events.length;
  const offered = isPartly ? coming : events;
  const isPressed = selected.size === offered.length && offered.every(({ id }) => selected.has(id));
  const toggle = () => {
    if (isPressed) {
      selectedEvents.set(noSelection);
      return;
    }
    // The panel lies over the table at any width.
    const isCovered = view === 'table' || coversList;
    goTo({ view: view === 'table' ? view : 'agenda', ...(isCovered && { event: null }) });
    selectedEvents.set(new Set(offered.map(({ id }) => id)));
    editedSince.set(new Set(edited));
  };
  return (
    <Fact Icon={IconCalendarRepeat} name={t('series')}>
      {t('together', { shown: number(events.length) })}{' '}
      <LinkButton className="small" aria-pressed={isPressed} onClick={toggle}>
        {t(isPartly ? 'selectComing' : 'selectAll', { shown: number(offered.length) })}
      </LinkButton>
    </Fact>
  );
}

/** The moves, newest first, each with its source, and whether members know the last one. */
function Moves({ event, moves }: { readonly event: Event; readonly moves: Memory['moves'] }) {
  const { t } = useTranslation(['panel', 'history']);
  const formats = useFormats();
  const today = useToday();
  const moveOf = useMove();
  const { changes } = useAnnounced();
  const isUnannounced = changes.some(
    ({ kind, event: { id } }) => id === event.id && kind === 'moved',
  );
  return (
    <ol className="ruled changed-moves">
      {moves.toReversed().map(({ at, from, to, kind, source }, index) => {
        const move = moveOf(from, to);
        const by =
          kind === 'edit'
            ? ''
            : `${t(`history:${kind === 'sync' ? 'synced' : 'imported'}`, { source })}.`;
        const note = index === 0 && isUnannounced ? t('notTold') : '';
        return (
          <li key={at}>
            <span>{formats.dayNear('shortDay', at, today)}</span>
            <span>
              <s>{move.from}</s> → <b>{move.to}</b>
              {by + note !== '' && (
                <span className="quiet" dir="auto">
                  {[by, note].filter(Boolean).join(' ')}
                </span>
              )}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** The changes of an event since the last visit, and its moves, in one fold. */
export function EventChanges(props: { readonly event: Event; readonly memory: Memory }) {
  const {
    event,
    memory: { moves },
  } = props;
  const { t } = useTranslation('panel');
  const formats = useFormats();
  const today = useToday();
  const news = useNewSentences(event, moves.length > 0);
  const [first, last] = [moves[0], moves.at(-1)];
  if (first === undefined || last === undefined) {
    return news.sentences.length === 0 ? null : (
      <div className="changed">
        {news.sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </div>
    );
  }
  const counted = { count: moves.length, shown: formats.number(moves.length) };
  return (
    <details className="changed" data-quiet={!news.isNew || undefined}>
      <summary className="apart">
        <span>
          <strong>
            {[
              ...news.sentences,
              t('movedTimes', { ...counted, last: formats.dayNear('day', last.at, today) }),
            ].join(' ')}
          </strong>{' '}
          {t('firstPlanned', { first: formats.dayNear('longDay', first.from, today) })}
        </span>
        <IconChevronDown size={18} stroke={1.75} aria-hidden />
      </summary>
      <Moves event={event} moves={moves} />
    </details>
  );
}
