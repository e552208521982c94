/** SQL: the name that staff see for the fan `f`, or null. */
export const FAN_NAME = `coalesce(nullif(trim(concat_ws(' ', f.first_name, f.last_name)), ''), f.username, f.email)`;
