/** The form for statements, as `leave` calls it: it stands in the panel. */
export const STATEMENT_FORM = 'panel/statement';
