import { t } from '../../lib/text/i18n.ts';

/** Explains to staff without the message privilege why they can't write or why an action is disabled. */
export const NO_PRIVILEGE = t('You do not have message privileges. Ask a manager to grant them.');
