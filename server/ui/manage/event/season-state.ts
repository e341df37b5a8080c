import { useMemo, useState } from 'react';
import { addDays, type Day, type Season, seasonOf } from '../../../dates/days.ts';
import { noChoices, type SeasonChoices, type SeasonRow } from '../../../event/season.ts';
import { useClock } from '../../base/days.ts';
import { goTo } from '../../base/navigation.ts';
import { readUnsaved, useUnsavedText } from '../../base/unsaved.ts';
import { useClubSettings } from '../../data/club-settings.ts';
import { readRemembered, remember, useSeasonPlan, useSeasons } from '../../data/seasons.ts';
import { useVisibleEvents } from '../../data/visible-events.tsx';
import { useActionQuery, useTask } from '../parts/action-hooks.ts';
import { useChangeWords } from '../parts/change-words.ts';
import { useDesktop } from '../parts/desktop-provider.tsx';
import { focusAdded, useEditing } from './editor-provider.tsx';

/** The choices of the form, which stay until the events are added or the window is closed. */
type Stored = SeasonChoices & {
  /** The first day of the season whose events are taken; null for the one that ends. */
  readonly from: Day | null;
  /** Years from that season to the new one. */
  readonly years: number;
  /** True if all events are a week later, for a season that has crept forward over the years. */
  readonly isWeekLater: boolean;
};

const untouched: Stored = { ...noChoices, from: null, years: 1, isWeekLater: false };

const weeksOfYear = 52;

const nothing = () => '';

const withId = (ids: readonly number[], id: number) => [...new Set([...ids, id])];
const withoutId = (ids: readonly number[], id: number) => ids.filter((each) => each !== id);

/** Returns the choices of the form, with the functions that change them. */
function useChoices() {
  const { account } = useVisibleEvents();
  const name = `season ${account}`;
  const [text, setText, forget] = useUnsavedText(name, { describe: nothing });
  const [remembered, setRemembered] = useState(() => readRemembered(account).groups);
  const stored = useMemo<Stored>(
    () => ({ ...untouched, groups: remembered, ...(text !== '' && JSON.parse(text)) }),
    [text, remembered],
  );
  const actions = useMemo(() => {
    const change = (next: (before: Stored) => Partial<Stored>) => {
      // A second change may come before the next render.
      const before = JSON.parse(readUnsaved(name) ?? '{}') as Partial<Stored>;
      const whole = { ...untouched, groups: remembered, ...before };
      setText(JSON.stringify({ ...whole, ...next(whole) }));
    };
    return {
      choose: (choice: Partial<Pick<Stored, 'from' | 'years' | 'isWeekLater'>>) =>
        change(() => choice),
      take: (key: string, isTaken: boolean) =>
        change(({ groups }) => ({ groups: { ...groups, [key]: isTaken } })),
      /** Leaves out an event; one that was put back on a day off is left out as before. */
      leaveOut: (id: number, isPutBack: boolean) =>
        change(({ out, back, both }) =>
          isPutBack
            ? { back: withoutId(back, id), both: withoutId(both, id) }
            : { out: withId(out, id), both: withoutId(both, id) },
        ),
      putBack: (id: number, isDayOff: boolean) =>
        change(({ out, back }) =>
          isDayOff ? { back: withId(back, id) } : { out: withoutId(out, id) },
        ),
      keepBoth: (id: number) =>
        change(({ out, both }) => ({ out: withoutId(out, id), both: withId(both, id) })),
      /** Forgets the choices after the events were added; those of groups are for the next year, too. */
      finish: (groups: Stored['groups']) => {
        remember(account, { groups });
        setRemembered(groups);
        forget();
      },
    };
  }, [name, account, remembered, setText, forget]);
  return { stored, actions };
}

const isShownRow = ({ reason }: SeasonRow) =>
  reason === undefined ||
  reason === 'clash' ||
  reason === 'day off' ||
  reason === 'out' ||
  reason === 'here';

/** The next season of the open club: its plan, the choices of the form, and how it is added. */
export function useNextSeason() {
  const clock = useClock();
  const { club } = useDesktop();
  const { seasonStart } = useClubSettings();
  const { all } = useVisibleEvents();
  const { seasons, ending } = useSeasons();
  const { stored, actions } = useChoices();
  const { perform, lead, opener } = useEditing();
  const { describeCommon } = useChangeWords();
  const { data, error } = useActionQuery('season fixtures', { user: club.name });
  const fixtures = useMemo(
    () => (data || error ? new Set(data?.fixtures) : undefined),
    [data, error],
  );
  const season = seasons.find(({ first }) => first === stored.from) ?? ending;
  const weeks = weeksOfYear * stored.years + Number(stored.isWeekLater);
  const { groups, out, back, both } = stored;
  const choices = useMemo(() => ({ groups, out, back, both }), [groups, out, back, both]);
  const plan = useSeasonPlan({ season, weeks, fixtures, choices });
  const rows = useMemo(() => plan?.rows.filter(isShownRow) ?? [], [plan]);
  const adding = useTask(async () => {
    if (season === undefined) return;
    const request = { from: season.first, to: addDays(season.end, -1), weeks };
    const ids = { out: [...out], back: [...back], both: [...both] };
    const { result, isShown } = await perform(
      'season next',
      { ...request, groups, ...ids },
      ({ events }) => ({
        title: '',
        text: describeCommon({ kind: 'added', values: [] }, events.length),
      }),
    );
    actions.finish(groups);
    opener.current = null;
    goTo({ form: null, event: null });
    const [first] = result.events;
    if (first !== undefined) await focusAdded(first, clock.dayOf(first.date), isShown, lead);
  });
  /** Returns the season some years after the chosen one. */
  const seasonIn = (years: number): Season | undefined =>
    season && seasonOf(addDays(season.first, years * 366), seasonStart);
  return {
    isReading: plan === undefined && all?.total !== 0,
    seasons,
    season,
    seasonIn,
    stored,
    plan,
    /** The events that come again, and those that a person may put back, by their new dates. */
    rows,
    added: rows.filter(({ reason }) => reason === undefined).length,
    clashes: rows.filter(({ clash }) => clash !== undefined).length,
    open: rows.filter(({ reason }) => reason === 'clash').length,
    daysOff: rows.filter(({ dayOff }) => dayOff !== undefined).length,
    ...actions,
    adding,
  };
}

export type NextSeasonState = ReturnType<typeof useNextSeason>;
