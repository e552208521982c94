import { t } from '../../lib/text/i18n.ts';

/** Shown to staff without the message privilege, instead of what they can't do. */
export const NO_PRIVILEGE = t('You do not have message privileges. Ask a manager to grant them.');
