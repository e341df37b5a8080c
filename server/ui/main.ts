import './base/base.css';
import './base/shared.css';
import './base/mantine.css';
import { showFatalError } from './base/fatal-error.ts';

const container = document.getElementById('page');
if (container === null) throw new Error('index.html has no place for the page.');
const fail = (error: unknown) => showFatalError(container, error);

// A static import that throws would leave a blank page.
import('./app.tsx').then(({ startPage }) => startPage(container, fail)).catch(fail);
