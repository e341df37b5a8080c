/** A setting of a club that is a whole number. */
type NumberSetting = {
  /** Its column in the table of users, which a migration adds with this default and these bounds. */
  readonly column: string;
  readonly unit: 'minutes' | 'month';
  readonly min: number;
  readonly max: number;
  readonly initial: number;
  /** The values that the window offers. */
  readonly choices: readonly number[];
  /** The command that changes it, and its help. */
  readonly command: string;
  readonly help: string;
  /** The code of the problem of another value. */
  readonly refusal: string;
};

/**
 * The settings of a club with a number. Database, command line, window, history and copies get them
 * from this list; the messages have a name and a help for each in the section `clubs`.
 */
export const clubNumbers = {
  /** Minutes that an event without an end lasts; one of several days has an end. */
  usualLength: {
    ...{ column: 'usual_length', unit: 'minutes', min: 1, max: 1_440, initial: 120 },
    choices: [30, 45, 60, 75, 90, 105, 120, 150, 180, 240],
    command: 'user length',
    help: 'change the usual length of the events of a club, for those without an end',
    refusal: 'length_invalid',
  },
  /** The first month of a season, from 1. */
  seasonStart: {
    ...{ column: 'season_start', unit: 'month', min: 1, max: 12, initial: 7 },
    choices: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    command: 'user season',
    help: 'change the month in which the season of a club begins, from 1 to 12',
    refusal: 'season_invalid',
  },
} as const satisfies Readonly<Record<string, NumberSetting>>;

export type ClubNumber = keyof typeof clubNumbers;
export type ClubNumbers = { readonly [Name in ClubNumber]: number };

/** The commands that change them, with the setting of each. */
export type NumberCommands = {
  readonly [Name in ClubNumber as (typeof clubNumbers)[Name]['command']]: Name;
};

export const clubNumberNames = Object.keys(clubNumbers) as readonly ClubNumber[];

export const isClubNumber = (setting: string): setting is ClubNumber =>
  Object.hasOwn(clubNumbers, setting);

/** Makes an object with a value for each of the settings. */
export function mapNumbers<Value>(choose: (name: ClubNumber) => Value): {
  readonly [Name in ClubNumber]: Value;
} {
  const entries = clubNumberNames.map((name) => [name, choose(name)]);
  return Object.fromEntries(entries) as { readonly [Name in ClubNumber]: Value };
}

/** Makes an object with a value for each of the commands. */
export function mapNumberCommands<Value>(choose: (name: ClubNumber) => Value) {
  const entries = clubNumberNames.map((name) => [clubNumbers[name].command, choose(name)]);
  return Object.fromEntries(entries) as { readonly [Command in keyof NumberCommands]: Value };
}
