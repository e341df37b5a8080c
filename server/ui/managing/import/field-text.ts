import { useTranslation } from 'react-i18next';
import { useFormats } from '../../time/format.ts';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** How the value of a field reads; what cannot be read is shown as it is, and nothing as nothing. */
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
    // A word that is none of these comes back as it is.
    if (field === 'status' || field === 'eventType')
      return t(`event:${text}` as 'event:active', text);
    return text;
  };
}
