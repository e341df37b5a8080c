import { QueryClient } from '@tanstack/react-query';

/** What the page has read, from the service and over the bridge. */
export const queries = new QueryClient();

/** Reads everything on view again at once: something has changed the data. */
export async function refreshEvents(): Promise<void> {
  await queries.invalidateQueries();
}
