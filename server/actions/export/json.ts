import type { StoredEvent } from '../../../db/model.ts';

/** Writes events as `{"events":[…]}`, one per line, with exactly the members of an API event. */
export function* writeJson(events: Iterable<StoredEvent>): Generator<string> {
  let separator = '\n';
  yield '{"events":[';
  for (const event of events) {
    yield separator + JSON.stringify(event);
    separator = ',\n';
  }
  yield '\n]}\n';
}
