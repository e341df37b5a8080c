import '@mantine/core/styles.layer.css';
import './shell/base.css';
import { showFatalError } from './shell/fatal-error.ts';

const place = document.getElementById('page');
if (place === null) throw new Error('index.html has no place for the page.');
const fail = (error: unknown) => showFatalError(place, error);

// A static import that throws would leave a blank page.
import('./start.tsx').then(({ startPage }) => startPage(place, fail)).catch(fail);
