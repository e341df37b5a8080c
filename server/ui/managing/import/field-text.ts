import { useTranslation } from 'react-i18next';
import { useFormats } from '../../time/format.ts';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Returns a formatter of values; unknown ones stay as they are, missing ones are empty. */
export function useFieldText(): (field: string, value: unknown) => string {
  const { t } = useTranslation(['event', 'panel']);
  const formats = useFormats();
  return (field, value) => {
    if (value === undefined || value === null || value === '') return '';
    const text = String(value);
    if (timestamp.test(text)) return formats.at('moment', text);
    if (field === 'registrationOpen' && typeof value === 'boolean') {
      return t(value ? 'panel:open' : 'panel:closed');
    }
    // The default text returns an unknown word as it is.
    if (field === 'status' || field === 'eventType')
      return t(`event:${text}` as 'event:active', text);
    return text;
  };
}
