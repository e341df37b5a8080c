import { EventEmitter } from 'node:events';

/**
 * What the objects of the fake are made from. Asking one for a member that it lacks throws, so
 * that a test fails where Electron would have done something.
 */
export class Strict<Events extends Record<keyof Events, unknown[]>> extends EventEmitter<Events> {}

const members = new Proxy(EventEmitter.prototype, {
  get(target, name, receiver) {
    // Symbols, and what `await` and JSON look for, are asked of anything.
    if (typeof name === 'symbol' || name in target || name === 'then' || name === 'toJSON') {
      return Reflect.get(target, name, receiver);
    }
    throw new Error(`The fake for Electron has no ${receiver.constructor.name}.${name}.`);
  },
});
Object.setPrototypeOf(Strict.prototype, members);

/** An event of Electron, which a listener can prevent. */
export class PreventableEvent {
  defaultPrevented = false;

  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

/** The fake in place of Electron's own class; `electron.types.ts` holds it against that. */
export function asElectron<Real>(own: object): Real {
  return own as Real;
}

/** What does nothing in the fake, and is asked for nothing by a test. */
export const ignore = (..._given: readonly unknown[]): void => undefined;
