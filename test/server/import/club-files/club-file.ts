/**
 * A file as a club has it, and what a careful person would store from it.
 *
 * A line of `events` is `2027-03-13 15:00-17:00 | Name | Place | cancelled | "text of the note"`: a day, or a
 * local time of the club, and the end after "-" or, on another day, after ">". Between "~" are names or places that
 * are equally right, and "?" is any place. Without a place, the event must have none.
 */
export type ClubFile = Readonly<{
  id: string;
  events: string;
  /** Options of the command that a sensible secretary would give. */
  options?: string;
  /** Matches a printed line that suffices, if the events are others than expected. */
  told?: RegExp;
}> &
  (
    | Readonly<{ text: string; as?: 'csv' | 'ics' | 'txt' }>
    /**
     * Rows of cells between "|". A value with a number format is `2027-03-13#dd.mm.`, `18:30#hh:mm`,
     * `2027-03-13 18:30#dd.mm.yyyy hh:mm` or `5#0`.
     */
    | Readonly<{ sheets: Readonly<Record<string, string>>; merged?: readonly string[] }>
  );
