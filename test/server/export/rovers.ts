import type { StoredEvent } from '../../../db/model.ts';
import type { NumberedTeam } from '../../../db/teams.ts';
import type { HtmlOptions } from '../../../server/export/html.ts';
import { makeEvent } from '../../support/home.ts';
import { writeSeason, writtenSeasons } from '../../support/seasons.ts';

/** The club of the drawings, on Thursday 19 November 2026 at 08:41. */
export const roversNow = new Date('2026-11-19T07:41:00.000Z');

const team = (id: number, name: string, letters: string, words: string): NumberedTeam => ({
  ...{ id, name, letters, words, colour: id, without: '', place: '', eventType: null },
  position: id,
});

export const roversTeams = [
  team(1, 'U15', 'U15', 'U15'),
  team(2, 'First team', '1st', 'Rovers v, v Rovers'),
  team(3, 'Board', 'Bd', 'Board'),
] as const;

const at = (text: string) => new Date(`${text}:00+01:00`).toISOString();

export const rovers = [
  { name: 'U15 trial', date: at('2026-11-03T18:30'), location: 'Mill Lane' },
  { name: 'U15 training', date: at('2026-11-19T18:30'), description: 'Until 20:00' },
  {
    ...{ name: 'Rovers v City', date: at('2026-11-21T14:00'), location: 'Home Ground' },
    ...{ eventType: 'regional', description: 'Tea and cake from 13:00' },
  },
  {
    ...{ name: 'U15 v Kingsway', date: at('2026-11-22T10:00'), location: 'Mill Road, pitch 2' },
    eventType: 'regional',
  },
  {
    ...{ name: 'Photo evening', date: at('2026-11-24T19:30'), location: 'To be announced' },
    ...{ eventType: null, description: 'Ask Maria: +49 (0)170 1234567 or maria@rovers.example.' },
  },
  {
    ...{ name: 'Athletic v Rovers', date: at('2026-11-28T15:00'), location: 'Mill Road' },
    ...{ eventType: 'regional', status: 'cancelled' },
    description: 'The pitch is frozen. A new date follows.',
  },
  {
    ...{ name: 'Camp', date: at('2026-12-04T00:00'), location: 'Lake' },
    description: 'Until Sun 6 December',
  },
  {
    ...{ name: 'Rovers v Wanderers', date: at('2026-12-05T14:00'), location: 'Home Ground' },
    eventType: 'regional',
  },
  {
    ...{ name: 'Annual general meeting', date: at('2026-12-07T19:00') },
    ...{ location: 'Town hall, room 2', eventType: null },
  },
  {
    ...{ name: 'Cup, second round', date: at('2026-12-13T11:00'), location: 'Northfield Arena' },
    eventType: 'national',
  },
].map((event, index) =>
  makeEvent(index + 1, { location: 'Sports hall, Mill Lane', ...(event as object) }),
) as readonly StoredEvent[];

const day = 24 * 3_600_000;

/** The page of the drawings: with teams, of which one has its own calendar, and with news. */
export const roversOptions = {
  club: 'Harbour Rovers',
  now: roversNow,
  teams: [...roversTeams],
  live: {
    page: 'https://rovers.example/dates',
    calendar: 'https://rovers.example/dates.ics',
    teamCalendars: new Map([[1, 'https://rovers.example/u15.ics']]),
  },
  news: new Map([
    [
      4,
      {
        before: { ...(rovers[3] as StoredEvent), date: at('2026-11-22T11:00') },
        changedAt: new Date(roversNow.getTime() - 2 * day),
        until: new Date(roversNow.getTime() + 5 * day),
        memory: { times: 3, first: at('2026-11-14T11:00') },
      },
    ],
  ]),
  cancellations: new Map([[6, new Date(roversNow.getTime() + 2 * day)]]),
} satisfies Partial<HtmlOptions> & { readonly teams: NumberedTeam[] };

/** Returns the events of ten clubs over four years, which are those of one large club in twelve. */
export function planYears(count: number): StoredEvent[] {
  const season = writtenSeasons.flatMap(writeSeason);
  const years = Array.from({ length: Math.ceil(count / season.length) }, (_, year) => {
    const shift = (year - 2) * 364 * 86_400_000;
    return season.map((event) => ({
      ...event,
      date: new Date(Date.parse(event.date) + shift).toISOString(),
    }));
  });
  const all = years.flat().slice(0, count);
  return all.map((event, index) => ({ ...event, id: index + 1 })) as StoredEvent[];
}
