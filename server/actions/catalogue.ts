import type { z } from 'zod';
import type { TextUse } from './action.ts';
import { clubActions } from './club.ts';
import { copyActions } from './copies.ts';
import { eventActions } from './events.ts';
import { followActions } from './followed.ts';
import type { Command } from './options.ts';
import { publishActions } from './publish.ts';
import { storeActions } from './store.ts';

/** All actions that manage the data, shared by the command line and the window, in the order of the help. */
export const catalogue = {
  ...clubActions,
  ...eventActions,
  ...followActions,
  ...copyActions,
  ...publishActions,
  ...storeActions,
} as const;

type Catalogue = typeof catalogue;
export type ActionName = keyof Catalogue;
export type ActionInput<Name extends ActionName> = z.input<
  Awaited<ReturnType<Catalogue[Name]['schema']>>
>;
export type ActionResult<Name extends ActionName> = Awaited<ReturnType<Catalogue[Name]['perform']>>;

/** Names of the actions with a fact, such as `{ effect: 'read' }`. */
type ActionWith<Fact> = {
  [Name in ActionName]: Catalogue[Name] extends Fact ? Name : never;
}[ActionName];
export type ReadName = ActionWith<{ readonly effect: 'read' }>;
export type CancellableName = ActionWith<{ readonly isCancellable: true }>;
export type CommandName = ActionWith<{ readonly command: Command }>;

export const commandNames = (Object.keys(catalogue) as ActionName[]).filter(
  (name): name is CommandName => catalogue[name].command !== undefined,
);

/** Returns the command of an action. */
export function commandOf(name: CommandName) {
  const command: Command = catalogue[name].command;
  return { ...command, examples: command.examples ?? [name], options: command.options ?? [] };
}

/** Returns the arguments of an action that have one of the uses. */
export function argumentsUsedAs(name: ActionName, ...uses: readonly TextUse[]): readonly string[] {
  const entries = Object.entries<TextUse>(catalogue[name].texts);
  return entries.filter(([, use]) => uses.includes(use)).map(([argument]) => argument);
}
