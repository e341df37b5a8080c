import { type ComponentType, useEffect, useState } from 'react';

/** A part of the page whose code is a file of its own, loaded when it is first shown, or before. */
export type Part<Props> = ComponentType<Props> & {
  /** Loads the code, unless it is; rejects when that fails, and tries anew when called again. */
  readonly load: () => Promise<ComponentType<Props>>;
};

type Attempt<Props> = {
  readonly Code?: ComponentType<Props> | undefined;
  readonly failed?: { readonly error: unknown };
};

/**
 * Makes a part that is shown at once when it is loaded; otherwise `Waiting` is until then. It throws
 * why it cannot be loaded. No `lazy`, which shows what waits even where nothing has to be waited
 * for, and then for a third of a second: ten times as long as our files take.
 */
export function createPart<Props extends object>(
  read: () => Promise<ComponentType<Props>>,
  Waiting: ComponentType = () => null,
): Part<Props> {
  let loaded: ComponentType<Props> | undefined;
  const load = async () => {
    loaded ??= await read();
    return loaded;
  };
  function Part(props: Props) {
    const [{ Code, failed }, settle] = useState<Attempt<Props>>(() => ({ Code: loaded }));
    useEffect(() => {
      if (Code !== undefined) return;
      load().then(
        (code) => settle({ Code: code }),
        (error: unknown) => settle({ failed: { error } }),
      );
    }, [Code]);
    if (failed) throw failed.error;
    return Code === undefined ? <Waiting /> : <Code {...props} />;
  }
  return Object.assign(Part, { load });
}
