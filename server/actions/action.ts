import type { z } from 'zod';
import { asUsage, type Problem, problem } from '../base/errors.ts';
import { requireDatabaseFile } from '../base/home.ts';
import type { ActionTools } from '../club/tools.ts';
import type { FileKind } from '../import/formats.ts';
import type { ProblemCode } from '../messages/message.ts';
import type { Command } from './options.ts';

const outboxes = () => import('../proposals/settle.ts');

/** `restartable` loses nothing by an interruption; that of `change` undoes it. */
type Effect = 'read' | 'restartable' | 'change';

/** Uses of an address, by what is sent there: nothing but itself, a key, or events with a password. */
export const addressUses = ['address', 'keyAddress', 'webSpace'] as const;
export type AddressUse = (typeof addressUses)[number];

/** The use of an argument that takes any text. */
export type TextUse =
  /** A path or a list of paths. The page gives tokens in their place. */
  | 'file'
  /** The path of a file to write. The page gives a token in its place. */
  | 'output'
  /** The same, of a file that the window then opens with its program. */
  | 'openedOutput'
  /** Ids and paths of files with ids. */
  | 'ids'
  /** An address to which the action sends something. In the window, a person confirms its host. */
  | AddressUse
  /** A key of an online service: only for this call, for scripts, or for later syncs. */
  | 'triedKey'
  | 'scriptKey'
  | 'syncKey'
  /** A key of the service on this computer. */
  | 'localKey'
  /** The password of a web space: to store, or only for this call. */
  | 'password'
  | 'triedPassword';

/** Arguments that take any text, and that name neither a file, nor an address, nor a key. */
type PlainText =
  | 'account'
  | 'club'
  | 'days'
  | 'encoding'
  | 'end'
  | 'every'
  | 'except'
  | 'expires'
  | 'folder'
  | 'from'
  | 'label'
  | 'language'
  | 'letters'
  | 'name'
  | 'newName'
  | 'note'
  | 'onto'
  | 'periods'
  | 'place'
  | 'prefix'
  | 'proposal'
  | 'reason'
  | 'repeat'
  | 'replaces'
  | 'search'
  | 'sheet'
  | 'since'
  | 'team'
  | 'timeZone'
  | 'to'
  | 'user'
  | 'without'
  | 'words'
  | 'zone';

type Item<Value> = Value extends readonly (infer Part)[] ? Part : Value;

/** The arguments of which the facts must tell the use. */
type TextArgument<Input> = keyof {
  [Name in keyof Input as string extends Item<Input[Name]> ? Exclude<Name, PlainText> : never]: 1;
};

/** A type that no schema has if the facts leave out an argument with a text. */
type Complete<Input, Texts> = [TextArgument<Input>] extends [keyof Texts]
  ? unknown
  : { readonly withoutUse: Exclude<TextArgument<Input>, keyof Texts> };

type Texts = Readonly<Record<string, TextUse>>;

/** The facts about an action, from which the command line and the window derive what they do. */
type Facts<Result, Of extends Effect, Uses extends Texts, Help, IsCancellable> = Partial<
  Omit<Command, 'help'>
> & {
  /** Absent from an action of the window or the service only, which has no command. */
  readonly help?: Help;
  /** False for an action of the command line only. */
  readonly hasWindow?: boolean;
  readonly effect: Of;
  /** The uses of all arguments that take any text and are not plain. */
  readonly texts?: Uses;
  /** Kinds of files that the command refuses and sends to their own one. */
  readonly refuses?: readonly FileKind[];
  /** True if a person can cancel it, because it may take long. */
  readonly isCancellable?: IsCancellable;
  /** True if it can end a mirror or a file, whose key is then forgotten. */
  readonly forgetsKey?: true;
  /** True if it can end a club or its copy, whose proposals must then leave the shared folder. */
  readonly endsProposals?: true;
  /** Returns true for a result that makes the exit status of the command line 1. */
  readonly hasFailed?: (result: Result) => boolean;
};

type Action<Schema extends z.ZodType, Result, Of extends Effect, Help, IsCancellable> = {
  readonly effect: Of;
  readonly texts: Texts;
  readonly command: Help extends string ? Command : undefined;
  readonly hasWindow: boolean;
  readonly refuses: readonly FileKind[];
  readonly isCancellable: IsCancellable;
  readonly forgetsKey: boolean;
  hasFailed(result: Result): boolean;
  schema(): Promise<Schema>;
  /** Validates the arguments and runs the action. Throws a problem if they are invalid. */
  perform(args: unknown, tools: ActionTools): Promise<Result>;
};

/** Declares an action. Its module is loaded by its first use, as a program uses few of them. */
export function action<
  Module,
  Schema extends z.ZodType,
  Result,
  Of extends Effect,
  // biome-ignore lint/complexity/noBannedTypes: no arguments
  const Uses extends Texts = {},
  Help extends string | undefined = undefined,
  IsCancellable extends boolean = false,
>(
  load: () => Promise<Module>,
  choose: (
    module: Module,
  ) => readonly [
    Schema & Complete<z.input<Schema>, Uses>,
    (args: z.output<Schema>, tools: ActionTools) => Promise<Result>,
  ],
  facts: Facts<NoInfer<Result>, Of, Uses, Help, IsCancellable>,
): Action<Schema, Result, Of, Help, IsCancellable> {
  const { help, operand, examples, options, readsInput, readOperand, toArguments } = facts;
  const command = { help, operand, examples, options, readsInput, readOperand, toArguments };
  return {
    effect: facts.effect,
    texts: facts.texts ?? {},
    command: (help === undefined ? undefined : command) as Help extends string
      ? Command
      : undefined,
    hasWindow: facts.hasWindow ?? true,
    refuses: facts.refuses ?? [],
    isCancellable: (facts.isCancellable ?? false) as IsCancellable,
    forgetsKey: facts.forgetsKey ?? false,
    hasFailed: facts.hasFailed ?? (() => false),
    async schema() {
      const [schema] = choose(await load());
      return schema;
    },
    async perform(args, tools) {
      const [schema, run] = choose(await load());
      const parsed = schema.safeParse(args);
      if (!parsed.success) throw invalidArguments(parsed.error);
      requireDatabaseFile(tools.home);
      const result = await run(parsed.data, tools);
      if (facts.endsProposals) await (await outboxes()).settleLater(tools);
      return result;
    },
  };
}

type Issue = z.core.$ZodIssue | undefined;

/** Rules that a value of an argument can break. */
export type BrokenRule = 'empty' | 'long' | 'small' | 'large' | 'number' | 'other';

function ruleOf(issue: Issue): BrokenRule {
  if (issue?.code === 'too_small') return issue.origin === 'string' ? 'empty' : 'small';
  if (issue?.code === 'too_big') return issue.origin === 'string' ? 'long' : 'large';
  const isNumber = issue?.code === 'invalid_type' && /^(number|int)$/.test(issue.expected);
  return isNumber ? 'number' : 'other';
}

function limitOf(issue: Issue): number | '' {
  if (issue?.code === 'too_small') return Number(issue.minimum);
  return issue?.code === 'too_big' ? Number(issue.maximum) : '';
}

/** Returns the problem of the first invalid argument. Its schema has the code as its message. */
function invalidArguments({ issues: [issue] }: z.ZodError): Problem {
  const code = /^[a-z]+(_[a-z]+)+$/.test(issue?.message ?? '') ? issue?.message : undefined;
  const field = issue?.path.join('.') ?? '';
  return asUsage(
    problem((code ?? 'arguments_invalid') as ProblemCode, {
      field,
      // The command line has the option and its value.
      given: field,
      limit: limitOf(issue),
      rule: ruleOf(issue),
    }),
  );
}

export const read = { effect: 'read' } as const;
export const restartable = { effect: 'restartable' } as const;
export const change = { effect: 'change' } as const;

/** A long action that a person can cancel. */
export const cancellable = { isCancellable: true } as const;

/** An action of the command line only. */
export const noWindow = { hasWindow: false } as const;
