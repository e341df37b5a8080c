import { createContext, use, useCallback, useEffect, useSyncExternalStore } from 'react';
import { tabStore } from './storage.ts';

const prefix = 'club-events-unsaved ';

/** Keys stay in the memory of the page: a browser may write its storage to the disk. */
const secrets = new Map<string, string>();
const listeners = new Set<() => void>();

/** Returns the unsaved text of a field; null without one. */
export function readUnsaved(name: string): string | null {
  return secrets.get(name) ?? tabStore.getItem(prefix + name);
}

function writeUnsaved(name: string, text: string | null, isSecret: boolean): void {
  if (isSecret && text !== null) secrets.set(name, text);
  else if (text !== null) tabStore.setItem(prefix + name, text);
  else {
    secrets.delete(name);
    tabStore.removeItem(prefix + name);
  }
  for (const listener of listeners) listener();
}

export function forgetUnsaved(name: string): void {
  writeUnsaved(name, null, false);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The fields below an error boundary. */
export type UnsavedFields = {
  /** Functions that word the text of a field, by its name. */
  readonly names: Map<string, (text: string) => string>;
  /** True while the boundary shows the message of a fault. */
  hasFailed: boolean;
};

export const createUnsavedFields = (): UnsavedFields => ({ names: new Map(), hasFailed: false });

export const UnsavedContext = createContext(createUnsavedFields());

type Options = {
  /** The text without an edit. */
  readonly initial?: string;
  /** True for a key, which outlives a fault, but neither its form nor a reload. */
  readonly isSecret?: boolean;
  /** Words the text for a person; by default, as it is; empty for a secret. */
  readonly describe?: (text: string) => string;
};

type UnsavedText = readonly [
  text: string,
  setText: (text: string) => void,
  /** Returns to the initial text, for example once the text is saved. */
  forget: () => void,
];

const asItIs = (text: string) => text;
const nothing = () => '';

/**
 * Returns the text of a field as state that outlives its component. An error of the component, a
 * reload of the page or a visit to another screen loses nothing: the text is stored outside, before
 * the component renders it.
 */
export function useUnsavedText(name: string, options: Options = {}): UnsavedText {
  const { initial = '', isSecret = false, describe = isSecret ? nothing : asItIs } = options;
  const fields = use(UnsavedContext);
  fields.names.set(name, describe);
  const text = useSyncExternalStore(subscribe, () => readUnsaved(name)) ?? initial;
  const setText = useCallback(
    (next: string) => writeUnsaved(name, next === initial ? null : next, isSecret),
    [name, initial, isSecret],
  );
  const forget = useCallback(() => forgetUnsaved(name), [name]);
  useEffect(() => {
    if (!isSecret) return;
    return () => {
      if (!fields.hasFailed) forget();
    };
  }, [isSecret, fields, forget]);
  return [text, setText, forget];
}
