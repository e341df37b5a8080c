import type { EventStatus, EventType } from '../../db/model.ts';

/** An event of the demo club. `day` counts from today; without a `status`, the date decides it. */
export type SeasonEvent = {
  readonly day: number;
  readonly time: string;
  readonly name: string;
  readonly location: string;
  readonly type: EventType | null;
  readonly description: string | null;
  readonly status?: EventStatus;
  readonly registrationOpen?: boolean;
};

type Row = readonly [
  day: number,
  time: string,
  name: string,
  location: string,
  type: EventType | null,
  description: string | null,
  more?: Pick<SeasonEvent, 'status' | 'registrationOpen'>,
];

const draft = { status: 'draft' } as const;
const cancelled = { status: 'cancelled', registrationOpen: false } as const;
const open = { registrationOpen: true } as const;
const closed = { registrationOpen: false } as const;

// biome-ignore format: a table with one line per event
const rows: readonly Row[] = [
  [-176, '19:00', 'Committee meeting', 'Clubhouse, upstairs room', null, 'Budget and season plan.'],
  [-171, '10:00', 'Spring tune-up 5 km', 'Harbour promenade', 'club', 'Chip timing by volunteers.', closed],
  [-168, '18:30', 'First-aid refresher', 'Fire station, training hall', null, 'Bring your old certificate.'],
  [-163, '09:30', 'Cross-country relay', 'Beech Wood, north car park', 'regional', 'Teams of four, 3 km each.', closed],
  [-157, '18:00', 'Track opening evening', 'Municipal stadium', 'club', null],
  [-150, '09:00', 'Half marathon of the three bridges', 'Old Town', 'national', 'Measured course, pacemakers from 1:30 to 2:15.', closed],
  [-143, '19:30', 'Talk: eating for long runs', 'Clubhouse', null, 'With Dr Ana Lindqvist; guests welcome.'],
  [-140, '10:00', 'Junior throws day', 'Municipal stadium, throwing field', 'regional', 'Shot, discus and javelin, U12 to U18.', closed],
  [-133, '18:00', 'Mile night', 'Municipal stadium', 'club', 'Graded races every ten minutes.', closed],
  [-126, '08:30', 'Coast path trail, 32 km', 'Lighthouse car park', 'regional', 'Compulsory kit: jacket, whistle, half a litre of water.', cancelled],
  [-122, '19:00', 'Committee meeting', 'Clubhouse, upstairs room', null, null],
  [-119, '09:00', 'Regional championships, day 1', 'Municipal stadium', 'regional', 'Timetable in the clubhouse window.', closed],
  [-118, '09:00', 'Regional championships, day 2', 'Municipal stadium', 'regional', 'Timetable in the clubhouse window.', closed],
  [-112, '17:30', 'Training with the Ghent exchange group', 'Municipal stadium', 'international', 'Twelve guests; please offer beds to Mireille.'],
  [-105, '10:00', 'Parkland family run', 'Queen’s Park', 'club', 'One lap or two; pushchairs welcome.', closed],
  [-98, '18:00', 'Hurdles clinic', 'Municipal stadium', 'club', 'Four groups; spikes optional.'],
  [-91, '07:30', 'Midsummer sunrise run', 'Castle Hill', 'club', 'Breakfast afterwards at the mill.'],
  [-84, '09:00', 'National U20 qualifying', 'Northfield Arena', 'national', 'Bus leaves the clubhouse at 05:45.', closed],
  [-77, '18:30', 'Summer handicap 10 km', 'Canal towpath', 'club', 'Slowest start first.', cancelled],
  [-70, '10:00', 'Volunteers’ barbecue', 'Clubhouse garden', null, 'Thank you to all who marshalled.'],
  [-63, '18:00', 'Vertical sprint', 'Water tower', 'club', '214 steps, two attempts.', closed],
  [-59, '19:00', 'Committee meeting', 'Clubhouse, upstairs room', null, null],
  [-56, '09:00', 'Masters’ meeting', 'Municipal stadium', 'national', 'All disciplines, age groups from 35.', closed],
  [-49, '14:00', 'Athletics taster for schools', 'Municipal stadium', 'club', 'Stations run by the juniors.'],
  [-42, '08:00', 'Twin-town marathon', 'Lübeck', 'international', 'Entry through the twinning association.', closed],
  [-38, '18:00', 'New members’ evening', 'Clubhouse', null, 'A tour, a trial session and soup.'],
  [-35, '10:00', 'Autumn cross, race 1', 'Beech Wood, north car park', 'regional', 'League points for the first eight.', closed],
  [-28, '10:00', 'Autumn cross, race 2', 'Gravel pit', 'regional', 'League points for the first eight.', cancelled],
  [-24, '19:00', 'Kit swap', 'Clubhouse', null, null],
  [-21, '18:30', 'Night orienteering', 'Castle Hill', 'club', 'Head torch required; teams of two.', closed],
  [-14, '10:00', 'Autumn cross, race 3', 'Riverside meadows', 'regional', 'League points for the first eight.', closed],
  [-10, '19:00', 'Committee meeting', 'Clubhouse, upstairs room', null, null],
  [-7, '09:30', 'Ten miles of the old railway', 'Station Road', 'national', 'Flat and fast; finish at the goods shed.', closed],
  [-3, '18:00', 'Indoor technique session', 'Sports hall, Mill Lane', 'club', null],
  [-1, '18:00', 'Core and stretch', 'Sports hall, Mill Lane', 'club', 'Mats are there.'],
  [0, '18:30', 'Social run, three paces', 'Clubhouse', 'club', '6, 8 or 11 km, back by eight.', open],
  [2, '19:30', 'Photo evening: the season so far', 'Clubhouse', null, 'Send pictures to the secretary.'],
  [5, '10:00', 'Autumn cross, race 4', 'Beech Wood, north car park', 'regional', 'Last race of the league.', open],
  [9, '18:00', 'Sprint starts with video', 'Sports hall, Mill Lane', 'club', 'Eight places.', closed],
  [12, '09:00', 'Regional indoor meeting', 'Northfield Arena', 'regional', 'Entries close a week before.', open],
  [14, '19:00', 'Annual general meeting', 'Town hall, room 2', null, 'Agenda and accounts are on the notice board.'],
  [19, '11:00', 'Charity cake run', 'Queen’s Park', 'club', '5 km, then cake for the hospice.', open],
  [23, '18:00', 'Long-run planning', 'Clubhouse', null, null],
  [26, '10:00', 'Club indoor championships', 'Northfield Arena', 'club', 'Sixty metres, high jump, shot.', open],
  [30, '17:00', 'End-of-year fancy-dress mile', 'Harbour promenade', 'club', 'Prizes for the slowest, too.', open],
  [37, '10:00', 'New start 10 km', 'Canal towpath', 'regional', 'With the neighbouring clubs.', open],
  [44, '19:00', 'Committee meeting', 'Clubhouse, upstairs room', null, null],
  [47, '09:00', 'National cross-country trial', 'Racecourse, Ashby', 'national', 'Selection for the international match.', open],
  [54, '18:30', 'Talk: sleep and recovery', 'Clubhouse', null, 'Speaker to be confirmed.', draft],
  [61, '09:00', 'Indoor match against Ghent', 'Topsporthal, Ghent', 'international', 'Return match; two buses.', open],
  [68, '10:00', 'Snow run', 'Castle Hill', 'club', 'Only if there is any.', draft],
  [75, '09:00', 'Throwers’ winter meeting', 'Municipal stadium, throwing field', 'regional', 'Postponed from last winter.', cancelled],
  [82, '18:00', 'Coaching assistants’ course, part 1', 'Sports hall, Mill Lane', 'national', 'Four evenings; certificate of the federation.', open],
  [89, '10:00', 'Parkland family run', 'Queen’s Park', 'club', null, open],
  [96, '08:30', 'Coast path trail, 32 km', 'Lighthouse car park', 'regional', 'The date held over from last season.', open],
  [110, '09:00', 'Half marathon of the three bridges', 'Old Town', 'national', 'Entries open soon.', { status: 'draft', registrationOpen: false }],
  [118, '19:00', 'Committee meeting', 'Clubhouse, upstairs room', null, null, draft],
  [125, '09:00', 'Junior exchange with Lübeck', 'Municipal stadium', 'international', 'Five days; host families wanted.', draft],
  [139, '09:00', 'Regional championships', '', 'regional', 'Venue not yet decided.', draft],
  [160, '08:00', 'Twin-town marathon', 'Lübeck', 'international', null, { status: 'draft', registrationOpen: false }],
];

/** The season of the demo club: 60 events from half a year ago to five months ahead. */
export const season: readonly SeasonEvent[] = rows.map(
  ([day, time, name, location, type, description, more]) => ({
    day,
    time,
    name,
    location,
    type,
    description,
    ...more,
  }),
);
