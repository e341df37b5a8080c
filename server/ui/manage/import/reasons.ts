import type { Message, MessageKey } from '../../../messages/message.ts';
import { capitalize, useWords } from '../../base/i18n.ts';

/** Sentences for a cell that the user can correct in place, instead of advice about the file. */
const cellReasons: Partial<Record<MessageKey, MessageKey>> = {
  'reason:value_missing': 'importReport:missing',
  'reason:name_empty': 'importReport:missing',
  'reason:not_a_date': 'importReport:dateUnclear',
  'reason:date_not_understood': 'importReport:dateUnclear',
  'reason:no_such_day': 'importReport:monthTooShort',
  'reason:month_too_short': 'importReport:monthTooShort',
  'reason:year_too_early': 'importReport:yearTooEarly',
  'reason:not_a_time': 'importReport:timeUnclear',
  'reason:status_unknown': 'importReport:statusUnknown',
  'reason:type_unknown': 'importReport:typeUnknown',
  'reason:not_a_boolean': 'importReport:registrationUnclear',
  'reason:not_an_id': 'importReport:idUnclear',
};

/** Returns a function that words the reason why a cell cannot be imported. */
export function useReasonText(): (reason: Message) => string {
  const words = useWords();
  return (reason) => {
    const { key, values } = reason;
    // The year matters for February only.
    const isFebruary = key === 'reason:month_too_short' && Number(values?.['days']) < 30;
    const short = isFebruary ? 'importReport:februaryTooShort' : cellReasons[key];
    const text = words(short === undefined ? reason : { key: short, ...(values && { values }) });
    return capitalize(/[.!?]$/.test(text) ? text : `${text}.`);
  };
}
