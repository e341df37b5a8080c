// Commits so many times a second to a database of ours, until it is ended; tells that it began.
import Database from 'better-sqlite3';

const [, , path, perSecond] = process.argv;
const sqlite = new Database(path, { timeout: 5_000 });
sqlite.pragma('synchronous = FULL');
const rename = sqlite.prepare('UPDATE events SET name = @name WHERE user_id = 1 AND id = @id');
let count = 0;
setInterval(() => {
  count += 1;
  rename.run({ name: `Written ${count}`, id: 1 + (count % 900) });
}, 1000 / Number(perSecond));
process.stdout.write('writing\n');
