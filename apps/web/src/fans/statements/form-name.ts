/** The statement form's name for `leave`. The form is in the panel. */
export const STATEMENT_FORM = 'panel/statement';
