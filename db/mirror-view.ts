import { type EntryColumns, registrationOfColumns } from './mirror.ts';
import { coveredSince, type MirrorEntry } from './mirror-model.ts';
import { connection, type Reader } from './open.ts';

/** The times and masks of a mirrored event. */
export type Confirmation = Pick<MirrorEntry, 'confirmedAt' | 'registrationAt' | 'registration'>;

/** Knowledge about the events of a mirrored user, with times of the clock here. */
export type MirrorView = {
  /** All events created after this timestamp are known; '' for all events. */
  readonly coveredSince: string;
  /** The time of the last list, in ms; null before the first. */
  readonly listedAt: number | null;
  /** Returns the ids of the upstream's last list, in its order. */
  listedIds(): readonly number[];
  /** Returns the confirmations of events by id. */
  confirmations(ids: readonly number[]): ReadonlyMap<number, Confirmation>;
  /** Returns the oldest confirmation of all the user's events, in ms; null without events. */
  oldestConfirmation(): number | null;
  /** Returns the time at which the upstream did not have an id; undefined without a proof. */
  notFoundSince(id: number): number | undefined;
};

export const mirrorViewReads = {
  source: `SELECT id AS sourceId, coverage, listed, listed_at AS listedAt,
      iif(kind = 'service', ifnull(state ->> 'ahead', 0), 0) AS ahead FROM sources
    WHERE user_id = +@userId LIMIT 1`,
  confirmations: `SELECT events.id, confirmed_at AS confirmedAt, registration_at AS registrationAt,
      list_registration AS listRegistration, by_id_registration AS byIdRegistration
    FROM json_each(+@ids)
    CROSS JOIN events ON events.user_id = +@userId AND events.id = json_each.value
    CROSS JOIN confirmations ON confirmations.row = events.row`,
  oldest: `SELECT oldest FROM confirmations WHERE source_id = +@sourceId
    ORDER BY oldest LIMIT 1`,
  notFound: `SELECT absent_at FROM absences WHERE source_id = +@sourceId AND event_id = +@id LIMIT 1`,
} as const;

type SourceRow = {
  readonly sourceId: number;
  readonly coverage: string;
  readonly listed: string;
  readonly listedAt: number | null;
  /** The time in ms by which the clock of a service was ahead. */
  readonly ahead: number;
};

type ConfirmationRow = Omit<Confirmation, 'registration'> &
  Pick<EntryColumns, 'listRegistration' | 'byIdRegistration'> & { readonly id: number };

/** Prepares the reads of requests. Use them in the transaction that reads the events. */
export function prepareMirrorReads(db: Reader) {
  const sqlite = connection(db);
  const source = sqlite.prepare<object, SourceRow>(mirrorViewReads.source);
  const confirmations = sqlite.prepare<object, ConfirmationRow>(mirrorViewReads.confirmations);
  const oldest = sqlite.prepare<object, number>(mirrorViewReads.oldest).pluck();
  const notFound = sqlite.prepare<object, number>(mirrorViewReads.notFound).pluck();
  return {
    /** Returns the knowledge about the events of a user; undefined for an ordinary user. */
    ofUser(userId: number): MirrorView | undefined {
      const row = source.get({ userId });
      if (row === undefined) return undefined;
      const { sourceId, coverage, listed, listedAt, ahead } = row;
      const timeHere = <T extends number | null | undefined>(at: T) =>
        (typeof at === 'number' ? at - ahead : at) as T;
      return {
        coveredSince: coveredSince(JSON.parse(coverage)),
        listedAt: timeHere(listedAt),
        listedIds: () => JSON.parse(listed),
        confirmations(ids) {
          const rows = confirmations.all({ userId, ids: JSON.stringify(ids) });
          return new Map(
            rows.map(({ id, confirmedAt, registrationAt, ...columns }) => [
              id,
              {
                confirmedAt: timeHere(confirmedAt),
                registrationAt: timeHere(registrationAt),
                registration: registrationOfColumns(columns),
              },
            ]),
          );
        },
        oldestConfirmation: () => timeHere(oldest.get({ sourceId }) ?? null),
        notFoundSince: (id) => timeHere(notFound.get({ sourceId, id })),
      };
    },
  };
}
