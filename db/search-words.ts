/**
 * Returns the two characters, from Unicode's private planes, that begin every word of a user in the
 * full-text table. A search for a prefix then never meets the words of other users.
 */
export function userMark(userId: number): string {
  // As 32 bits: damaged pages have any value.
  return String.fromCodePoint(0xf0000 + (userId >>> 16), 0xf0000 + (userId & 0xffff));
}

/** The SQL of the words of an event; `connect` adds the function. */
export const searchWords = `search_words(events.user_id, events.name || char(10) || events.location
  || char(10) || ifnull(events.description, ''))`;
