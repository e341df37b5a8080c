import type { StoredEvent } from '../../db/model.ts';
import { fetchWithKey, type RunningService } from './service.ts';

type ListPage = {
  readonly events: readonly StoredEvent[];
  readonly total: number;
  /** The path of the next page, from the link of the answer. */
  readonly next: string | undefined;
};

const nextLink = /^<(http:\/\/127\.0\.0\.1:\d+)(\/v1\/events\?[^>]*)>; rel="next"$/;

/** Reads one page of the list. Throws if the answer is not a page. */
export async function fetchPage(
  service: RunningService,
  path: string,
  key: string,
): Promise<ListPage> {
  const answer = await fetchWithKey(service, path, key);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path} gave ${answer.status}: ${text}`);
  const link = answer.headers.get('link');
  const [, base, next] = nextLink.exec(link ?? '') ?? [];
  if (link !== null && base !== service.baseUrl) throw new Error(`${path} links to ${link}`);
  const total = Number(answer.headers.get('total-count') ?? Number.NaN);
  return { events: JSON.parse(text).events, total, next };
}

/** Reads every page of the list by following the links. */
export async function* eachPage(
  service: RunningService,
  path: string,
  key: string,
): AsyncGenerator<ListPage> {
  for (let next: string | undefined = path; next !== undefined; ) {
    const page: ListPage = await fetchPage(service, next, key);
    yield page;
    next = page.next;
  }
}
