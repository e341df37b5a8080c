import { QueryClient } from '@tanstack/react-query';

/** Cache of the data read from the service and over the bridge. */
export const queries = new QueryClient();

/** Reads all data in use again, after a change. */
export async function refreshEvents(): Promise<void> {
  await queries.invalidateQueries();
}
