/** Loads the writers of lists that the service sends as CSV or as a calendar. */
export async function loadWriters() {
  const [{ writeCsv }, { writeIcs }] = await Promise.all([import('./csv.ts'), import('./ics.ts')]);
  return { csv: writeCsv, calendar: writeIcs };
}
