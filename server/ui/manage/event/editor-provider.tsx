import {
  createContext,
  type ReactNode,
  use,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import type {
  ActionInput,
  ActionName,
  ActionResult,
  BridgeErrorCode,
} from '../../../actions/bridge.ts';
import { type Day, daysBetween } from '../../../dates/days.ts';
import type { Event } from '../../../http/contract.ts';
import { focusContent } from '../../base/browser.ts';
import { BridgeError, errorOf, perform } from '../../base/desktop.ts';
import { adjustRoute, currentRoute, useRoute } from '../../base/navigation.ts';
import { changePreferences } from '../../base/preferences.ts';
import { changedEvent } from '../../data/changed-event.ts';
import { type Editor, EditorContext, type EventsChange } from '../../data/editor.ts';
import { hostOf, useMirror } from '../../data/mirror-context.ts';
import { shownEvents, useVisibleEvents } from '../../data/visible-events.tsx';
import { performChange } from '../parts/action-hooks.ts';
import { type ChangeWords, useChangeWords } from '../parts/change-words.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { type Shown, UndoNotice } from './undo-notice.tsx';

/** A change of this window that can be undone. */
type Change = {
  /** The action that undoes it; the number of the undo in the history is that of its own undo. */
  readonly undo:
    | { readonly name: 'undo'; readonly args: { readonly id: number } }
    | { readonly name: 'follow answer'; readonly args: CalendarAnswer };
  readonly words: ChangeWords;
  /** The day that the view shows because of the change, and the one before it. */
  led?: { readonly from: Day | null; readonly to: Day };
};

type CalendarAnswer = ActionInput<'follow answer'>;

/** A move of an event, and the event before it. */
type Move = { readonly batch: number | undefined; readonly before: Event };

/** Errors of an undo that another attempt would meet again. */
const lastingErrors: readonly string[] = [
  'undo_conflict',
  'import_undone_before',
  'import_unknown',
] satisfies BridgeErrorCode[];

type Outcome<Name extends ActionName> = Awaited<ReturnType<typeof performChange<Name>>>;

/** The actions that edit events by hand. */
type EditAction =
  | 'event add'
  | 'event edit'
  | 'event remove'
  | 'events change'
  | 'events copy'
  | 'season next'
  | 'proposal answer';

/** The actions that propose an edit to the computer whose file the club follows. */
type ProposeAction = 'proposal add' | 'proposal edit' | 'proposal remove';

/** The editing of this window. */
type Editing = {
  /** Performs an action and shows a notice with Undo. Throws `BridgeError`. */
  readonly perform: <Name extends EditAction>(
    name: Name,
    args: Omit<ActionInput<Name>, 'user' | 'timeZone'>,
    describe: (result: ActionResult<Name>) => ChangeWords,
  ) => Promise<Outcome<Name>>;
  /** Proposes an edit and shows a notice with Undo, which withdraws it. Throws `BridgeError`. */
  readonly propose: <Name extends ProposeAction>(
    name: Name,
    args: Omit<ActionInput<Name>, 'user' | 'timeZone'>,
  ) => Promise<void>;
  /** Withdraws a proposal, by default the last one that was not sent. */
  readonly withdraw: (proposal?: string) => Promise<void>;
  /** Answers a followed calendar and shows a notice, with Undo unless values were kept. */
  readonly answer: (
    args: CalendarAnswer,
    words: Pick<ChangeWords, 'title' | 'text'>,
  ) => Promise<void>;
  /** Shows an error in place of the notice. */
  readonly fail: (thrown: unknown) => void;
  /** Shows a day because of the last change; its undo shows the one before again. */
  readonly lead: (day: Day) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  /** The element that had the focus when a form opened; null if the focus goes elsewhere. */
  readonly opener: { current: Element | null };
};

const batchOf = (change: Change | undefined) =>
  change?.undo.name === 'undo' ? change.undo.args.id : undefined;

/** Returns the answer that undoes another one: kept events are questions again, and the other way round. */
const reversed = ({ keep = [], ask = [], ...args }: CalendarAnswer): CalendarAnswer => ({
  ...args,
  ...{ keep: ask, ask: keep },
});

/** Undoes a change; resolves to the undo of that. */
async function performUndo(
  undo: Change['undo'],
): Promise<{ readonly next: Change['undo']; readonly isShown: Promise<void> }> {
  if (undo.name === 'undo') {
    const { result, isShown } = await performChange('undo', undo.args);
    return { next: { name: 'undo', args: { id: result.batch } }, isShown };
  }
  const { isShown } = await performChange('follow answer', undo.args);
  return { next: { ...undo, args: reversed(undo.args) }, isShown };
}

/** Times in milliseconds after which a change without an answer says that it is saved, and why it waits. */
const slow = { saving: 1_000, noAnswer: 5_000 } as const;

const EditingContext = createContext<Editing | undefined>(undefined);

/** Returns the editing of this window; undefined in a browser. */
export function useMaybeEditing(): Editing | undefined {
  return use(EditingContext);
}

export function useEditing(): Editing {
  const editing = use(EditingContext);
  if (editing === undefined) throw new Error('useEditing requires an EditorProvider.');
  return editing;
}

/** Returns the focus to the element that opened a form, unless it went elsewhere. */
function useReturnedFocus(opener: { current: Element | null }): void {
  const { form, event } = useRoute();
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    const isClosed = wasOpen.current && form === null;
    wasOpen.current = form !== null;
    // The panel of an event takes the focus itself.
    if (!isClosed || event !== null || document.activeElement !== document.body) return;
    const { current } = opener;
    // The row of an added event, or of that after a deleted one, gets the focus later.
    if (current === null) return;
    opener.current = null;
    if (current instanceof HTMLElement && current.isConnected && current !== document.body) {
      current.focus();
    } else focusContent();
  }, [form, event, opener]);
}

/**
 * Makes events editable in everything below, with a notice and Undo for each change. In a mirrored
 * club, undo and redo show the reason why they are closed.
 */
export function EditorProvider({ children }: { readonly children: ReactNode }) {
  const { club } = useDesktop();
  const { all, clock } = useVisibleEvents();
  const words = useChangeWords();
  const [shown, setShown] = useState<Shown | undefined>();
  const opener = useRef<Element | null>(null);
  useReturnedFocus(opener);
  // The functions stay the same, so that a change of the events does not render every view.
  const { t } = useTranslation(['mirrored', 'proposals', 'undoNotice']);
  const mirror = useMirror();
  const closed = mirror ? t('mirrored:club', { host: hostOf(mirror) }) : undefined;
  const takesProposals = mirror?.takesProposals === true;
  const latest = useRef({ club, all, words, closed, takesProposals, t, shown });
  useLayoutEffect(() => {
    latest.current = { club, all, words, closed, takesProposals, t, shown };
  });

  const editing = useMemo<Editing>(() => {
    const done: Change[] = [];
    const undone: Change[] = [];
    let queue: Promise<void> = Promise.resolve();
    let number = 0;
    const show = (next: Omit<Shown, 'number'>) => {
      number += 1;
      setShown({ ...next, number });
    };
    const fail = (thrown: unknown, of?: ChangeWords) =>
      show({ state: 'plain', error: errorOf(thrown), ...(of && { words: of }) });
    const say = (text: string, title = '') => show({ state: 'plain', words: { title, text } });
    /** Says that a change waits for its answer, until that is there. */
    const watched = async <Value,>(answer: Promise<Value>): Promise<Value> => {
      const timers = (['saving', 'noAnswer'] as const).map((key) =>
        setTimeout(() => {
          const text = latest.current.t(`undoNotice:${key}`);
          show({ state: 'waiting', words: { title: '', text } });
        }, slow[key]),
      );
      try {
        return await answer;
      } finally {
        for (const timer of timers) clearTimeout(timer);
        setShown((now) => (now?.state === 'waiting' ? undefined : now));
      }
    };
    const withdraw = async (proposal?: string) => {
      const { club: own, t: word } = latest.current;
      try {
        const { proposals } = await perform('proposal list', { user: own.name });
        const last = proposals.findLast(
          ({ state, otherClub }) => state === 'unsent' && otherClub === null,
        );
        const id = proposal ?? last?.id;
        if (id === undefined) return say(word('proposals:noneToWithdraw'));
        const { result } = await watched(
          performChange('proposal withdraw', { user: own.name, proposal: id }),
        );
        say(word('proposals:withdrawn'), result.proposal.event.name);
        if (document.activeElement === document.body) focusContent();
      } catch (thrown) {
        fail(thrown);
      }
    };
    const step = (from: Change[], to: Change[], state: Shown['state']): Promise<void> => {
      const { closed: reason, takesProposals: isProposing } = latest.current;
      if (isProposing && from === done) {
        queue = queue.then(() => withdraw());
        return queue;
      }
      if (reason !== undefined) {
        say(reason);
        return queue;
      }
      const work = async () => {
        const change = from.at(-1);
        if (change === undefined) return;
        // A new change may have come meanwhile, or have cleared the list.
        const drop = () => {
          const at = from.indexOf(change);
          if (at !== -1) from.splice(at, 1);
        };
        try {
          const { undo, led } = change;
          const { next, isShown } = await watched(performUndo(undo));
          drop();
          if (led && led.to === currentRoute().day) adjustRoute({ day: led.from });
          to.push({ undo: next, words: change.words });
          show({ state, words: change.words });
          await isShown;
          if (document.activeElement === document.body) focusContent();
        } catch (thrown) {
          if (thrown instanceof BridgeError && lastingErrors.includes(thrown.code)) drop();
          fail(thrown, change.words);
        }
      };
      // One after the other, however fast the keys are pressed.
      queue = queue.then(work);
      return queue;
    };
    return {
      async perform(name, args, describe) {
        const full = { ...args, user: latest.current.club.name };
        const outcome = await watched(performChange(name, full as ActionInput<typeof name>));
        const { batch } = outcome.result as { readonly batch?: number };
        if (batch !== undefined) {
          const words = describe(outcome.result);
          const merged = batchOf(done.at(-1)) === batch ? done.pop() : undefined;
          done.push({ ...merged, undo: { name: 'undo', args: { id: batch } }, words });
          undone.length = 0;
          show({ state: 'done', words, batch });
        }
        return outcome;
      },
      async propose(name, args) {
        const { club: own, t: word } = latest.current;
        const full = { ...args, user: own.name } as ActionInput<typeof name>;
        const { result } = await watched(performChange(name, full));
        const { proposal } = result as ActionResult<ProposeAction>;
        changePreferences({ onlyLooks: false });
        const words = { title: proposal.event.name, text: word('proposals:notSentYet') };
        show({ state: 'done', words });
      },
      withdraw,
      async answer(args, words) {
        try {
          const { result } = await watched(performChange('follow answer', args));
          const { batch, canAsk } = result;
          if (batch === undefined && !canAsk) return say(words.text, words.title);
          const undo: Change['undo'] =
            batch === undefined
              ? { name: 'follow answer', args: reversed(args) }
              : { name: 'undo', args: { id: batch } };
          done.push({ undo, words });
          undone.length = 0;
          show({ state: 'done', words });
        } catch (thrown) {
          fail(thrown);
        }
      },
      fail,
      lead(to) {
        const change = done.at(-1);
        const from = change?.led?.from ?? currentRoute().day;
        if (change !== undefined) change.led = { from, to };
        adjustRoute({ day: to });
      },
      undo: () => step(done, undone, 'undone'),
      redo: () => step(undone, done, 'done'),
      opener,
    };
  }, []);

  const editor = useMemo<Editor>(() => {
    let lastMove: Move | undefined;
    const change = async (ids: readonly number[], what: EventsChange, earlier?: Move) => {
      const { all: events, words: wording } = latest.current;
      const before = [...new Set(ids)].flatMap((id) => events?.byId.get(id) ?? []);
      const images = before.map((event) => {
        const after = changedEvent(clock, event, what);
        return { before: event, ...(after !== undefined && { after }) };
      });
      try {
        await editing.perform(
          'events change',
          { ids: [...ids], change: what, ...(earlier && { continues: earlier.batch }) },
          ({ changed: count, batch }) => {
            const [only] = images;
            if (ids.length > 1 || only === undefined)
              return wording.describeEvents(what.kind, images, count);
            const { before: first } = earlier?.batch === batch && earlier ? earlier : only;
            if (what.kind === 'move') lastMove = { batch, before: first };
            return wording.describeEvent({ ...only, before: first });
          },
        );
        return true;
      } catch (thrown) {
        editing.fail(thrown);
        return false;
      }
    };
    return {
      change: (ids, what) => change(ids, what),
      async copy(ids, days) {
        const { words: wording } = latest.current;
        try {
          const { result } = await editing.perform(
            'events copy',
            { ids: [...ids], days },
            ({ events }) => wording.describeAdded(events),
          );
          const [first] = result.events.toSorted((one, other) => (one.date < other.date ? -1 : 1));
          if (first !== undefined) editing.lead(clock.dayOf(first.date));
          return first;
        } catch (thrown) {
          editing.fail(thrown);
          return undefined;
        }
      },
      async answerProposals(answers) {
        const { t: word } = latest.current;
        try {
          await editing.perform('proposal answer', { answers }, ({ accepted, refused }) => ({
            title: '',
            text: word('proposals:answered', {
              counts: [
                accepted > 0 ? word('proposals:countAccepted', { accepted }) : '',
                refused > 0 ? word('proposals:countRefused', { refused }) : '',
              ]
                .filter((count) => count !== '')
                .join(', '),
            }),
          }));
          return true;
        } catch (thrown) {
          editing.fail(thrown);
          return false;
        }
      },
      async together(id) {
        const { club: own } = latest.current;
        return perform('events together', { user: own.name, id });
      },
      async moveTo(event, day, { follow } = { follow: false }) {
        const { shown: notice } = latest.current;
        const isLast = notice?.state === 'done' && notice.batch === lastMove?.batch;
        const earlier = isLast && lastMove?.before.id === event.id ? lastMove : undefined;
        const days = daysBetween(clock.dayOf(event.date), day);
        if (earlier && clock.dayOf(earlier.before.date) === day) {
          await editing.undo();
          if (follow) adjustRoute({ day });
        } else if (days !== 0 && (await change([event.id], { kind: 'move', days }, earlier))) {
          if (follow) editing.lead(day);
        }
      },
    };
  }, [editing, clock]);

  return (
    <EditingContext value={editing}>
      <EditorContext value={mirror ? undefined : editor}>
        {children}
        <UndoNotice
          shown={shown}
          onUndo={editing.undo}
          onRedo={editing.redo}
          onClose={() => setShown(undefined)}
        />
      </EditorContext>
    </EditingContext>
  );
}

/** Time in which the list follows a change, in milliseconds. */
const listTimeoutMs = 3_000;

function rowOf({ id }: Pick<Event, 'id'>): HTMLElement | null {
  return document.querySelector(`#events [data-event="${id}"]`);
}

/** Focuses a row of the list; does nothing if the focus went elsewhere meanwhile. */
function focusRow(row: HTMLElement | null): void {
  if (document.activeElement !== document.body) return;
  row?.scrollIntoView({ block: 'nearest' });
  if (row === null) focusContent();
  else row.focus();
}

/** Calls a function once the list shows a change, or after a while. */
export function whenListed(isListed: () => boolean, then: () => void): void {
  const giveUpAt = performance.now() + listTimeoutMs;
  const check = () => {
    if (isListed() || performance.now() > giveUpAt) requestAnimationFrame(then);
    else requestAnimationFrame(check);
  };
  check();
}

/** Focuses the row of a new event as soon as it is there; the list if it has none. */
export async function focusAdded(
  event: Pick<Event, 'id'>,
  day: Day,
  isShown: Promise<void>,
  lead: Editing['lead'],
): Promise<void> {
  await isShown;
  const showRow = () => {
    // A list renders only the rows near those on screen.
    if (rowOf(event) === null) lead(day);
    whenListed(
      () => rowOf(event) !== null,
      () => focusRow(rowOf(event)),
    );
  };
  whenListed(() => shownEvents.get()?.byId.has(event.id) === true, showRow);
}

/** Focuses the row of another event as soon as that of a deleted one is gone. */
export function focusInstead(other: Event | undefined, removed: Event): void {
  whenListed(
    () => rowOf(removed) === null,
    () => focusRow(other === undefined ? null : rowOf(other)),
  );
}
