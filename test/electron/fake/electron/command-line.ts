import process from 'node:process';

/** The switches of Chromium that the program was started with, or sets itself. */
export class CommandLine {
  readonly #switches = new Map<string, string>();

  constructor() {
    for (const argument of process.argv.slice(2)) {
      const [, name, value = ''] = /^--([^=]+)(?:=(.*))?$/.exec(argument) ?? [];
      if (name !== undefined) this.#switches.set(name, value);
    }
  }

  appendSwitch(name: string, value = ''): void {
    this.#switches.set(name, value);
  }

  hasSwitch(name: string): boolean {
    return this.#switches.has(name);
  }

  removeSwitch(name: string): void {
    this.#switches.delete(name);
  }
}
