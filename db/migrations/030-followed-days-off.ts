/** The part of an address that is shown: its host. */
const hostOf = (address: string) => {
  const rest = `substr(${address}, instr(${address}, '://') + 3)`;
  return `substr(${rest}, 1, instr(${rest} || '/', '/') - 1)`;
};

/** An old change of days off can be undone still; the days of an address are then those of a file. */
const withoutAddress = (column: 'before' | 'after') => `
UPDATE setting_changes
SET ${column} = json_set(${column}, '$.kind', 'file', '$.source', ${hostOf(`${column} ->> '$.source'`)})
WHERE setting = 'daysOff' AND ${column} ->> '$.kind' = 'address';`;

/** Makes days off of an address a followed calendar. */
export const followDaysOff = `
UPDATE calendars SET rules = json_set(
  json_remove(rules, '$.onlyLook'), '$.use', iif(rules ->> '$.onlyLook', 'look', 'events')
);

-- Events that a person keeps are among the missing ones, with what is known of them.
UPDATE calendars SET memory = json_set(json_remove(memory, '$.kept'), '$.missing', json((
  SELECT json_group_array(json(missing)) FROM (
    SELECT value AS missing FROM json_each(memory, '$.missing') UNION ALL
    SELECT json_object('id', value, 'since', 0, 'isAsked', json('true'), 'isKept', json('true'))
    FROM json_each(memory, '$.kept')
  )
))) WHERE memory ->> '$.kept' <> '[]';

-- The address stays until a service moves it into the file of addresses.
INSERT INTO calendars (user_id, name, host, rules, memory, looked)
SELECT user_id, name, ${hostOf('source')},
  json_object(
    'use', 'daysOff', 'eventType', NULL, 'place', '', 'prefix', '', 'words', '', 'without', ''
  ),
  json_object(
    'etag', NULL, 'lastModified', NULL, 'asOf', NULL, 'modifiedAt', NULL, 'contents', json('[]'),
    'waiting', NULL, 'missing', json('[]'), 'cancelled', json('[]'),
    'conflicts', json('[]'), 'unreadable', json('[]'), 'address', source
  ),
  days
FROM days_off WHERE kind = 'address' ORDER BY id;

DELETE FROM days_off WHERE kind = 'address';
${withoutAddress('before')}
${withoutAddress('after')}
`;
