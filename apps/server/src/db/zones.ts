import type { Database } from './database.ts';

/**
 * Maps zone names that PostgreSQL's `at time zone` reads as abbreviations, which have no summer time, to zones with the same
 * rules. The abbreviations are in lower case.
 */
export const ZONES_OF_ABBREVIATIONS: Readonly<Record<string, string>> = {
  cet: 'Europe/Brussels',
  eet: 'Europe/Athens',
  met: 'Europe/Berlin',
  wet: 'Europe/Lisbon',
};

/** Returns the zone's name that PostgreSQL's `at time zone` understands. */
export const zoneForDatabase = (name: string): string =>
  ZONES_OF_ABBREVIATIONS[name.toLowerCase()] ?? name;

/**
 * Returns a function that reads the names of PostgreSQL's time zones, in lower case. It reads them only once, because PostgreSQL
 * loads the list from files. Zones are looked up in the list, because a zone that only Node.js knows breaks a statement.
 */
export function knownZones(db: Database): () => Promise<readonly string[]> {
  let zones: Promise<readonly string[]> | null = null;
  const read = async () => {
    const rows = await db.run<{ name: string }>(
      {
        name: 'known_zones',
        text: 'select distinct lower(name) as name from pg_timezone_names',
      },
      [],
    );
    return rows.map(({ name }) => name);
  };
  return () => {
    zones ??= read().catch((error: unknown) => {
      zones = null;
      throw error;
    });
    return zones;
  };
}
