/** Two processes that call each other; values cross as structured clones, as they do in Electron. */
export type Port = {
  send(message: unknown): void;
  listen(hear: (message: unknown) => void): void;
};

/** Functions that one side offers, by name. */
type Answers = Readonly<Record<string, (args: never) => unknown>>;

/** Calls a function of the other side. */
export type Ask<Others extends Answers> = <Name extends keyof Others & string>(
  name: Name,
  args: Parameters<Others[Name]>[0],
) => Promise<Awaited<ReturnType<Others[Name]>>>;

type Message =
  | { readonly kind: 'ask'; readonly turn: number; readonly name: string; readonly args: unknown }
  | { readonly kind: 'done'; readonly turn: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly turn: number; readonly reason: string };

type Waiting = {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
};

/** Answers what arrives at a port, and gives the function that asks the other side. */
export function connect<Others extends Answers>(port: Port, answers: Answers): Ask<Others> {
  const waiting = new Map<number, Waiting>();
  let turns = 0;

  async function answer(turn: number, name: string, args: unknown): Promise<void> {
    try {
      const value = await answers[name]?.(args as never);
      port.send({ kind: 'done', turn, value } satisfies Message);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      port.send({ kind: 'failed', turn, reason } satisfies Message);
    }
  }

  port.listen((raw) => {
    const message = raw as Message;
    if (message.kind === 'ask') return void answer(message.turn, message.name, message.args);
    const asked = waiting.get(message.turn);
    waiting.delete(message.turn);
    if (message.kind === 'done') asked?.resolve(message.value as never);
    else asked?.reject(new Error(message.reason));
  });

  return (name, args) =>
    new Promise((resolve, reject) => {
      turns += 1;
      waiting.set(turns, { resolve, reject });
      port.send({ kind: 'ask', turn: turns, name, args } satisfies Message);
    });
}
