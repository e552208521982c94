const USERNAME = `nullif(trim(f.username), '')`;

/** SQL: the name that staff see for the fan `f`, or null. */
export const FAN_NAME = `coalesce(nullif(trim(concat_ws(' ', f.first_name, f.last_name)), ''), ${USERNAME}, f.email)`;

/** SQL: the username of the fan `f`, or else their name. */
export const FAN_USERNAME = `coalesce(${USERNAME}, ${FAN_NAME}, 'Fan')`;
