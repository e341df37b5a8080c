import { facts, isDecided } from '../facts.ts';
import type { Language } from '../messages.ts';
import de from './de.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import nl from './nl.json' with { type: 'json' };

/** The help in a language: first steps, and questions with their answers. */
export type Help = typeof en;

export const helps: Readonly<Record<Language, Help>> = { en, de, fr, nl };

/** A part of a text: words, or the key of the message that labels a button, field or screen. */
type HelpPart = { readonly words: string } | { readonly label: string };

/** Splits a text of the help at its labels, which are written as `{{section:key}}`. */
export function splitLabels(text: string): readonly HelpPart[] {
  return text
    .split(/\{\{(\w+:[\w-]+)\}\}/)
    .map((part, at) => (at % 2 === 1 ? { label: part } : { words: part }));
}

/** Returns the sentence that says where reports go, without an address until it is decided. */
export function reportAddress(help: Help, address: string = facts.reports): string {
  return isDecided(address) ? `${help.reportTo} ${address}` : help.reportUndecided;
}
