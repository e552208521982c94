const PREFIX = 'evt_';

/** Returns the `webhook-id` of an event. @param eventId a UUID */
export const webhookId = (eventId: string): string => PREFIX + eventId.replaceAll('-', '');

/** @returns the event's UUID; null for a text that is not one of our `webhook-id`s */
export function eventIdOf(webhookIdText: string): string | null {
  const parts = /^evt_([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(
    webhookIdText,
  );
  return parts === null ? null : parts.slice(1).join('-');
}
