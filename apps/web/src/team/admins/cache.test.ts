import type { AdminRecord } from '@stagedoor/contract/team/admins';
import { describe, expect, it } from 'vitest';
import {
  countAdmins,
  findAdmins,
  mergeAdmins,
  putAdmin,
  withAdminUpdated,
  withPrivileges,
} from './cache.ts';

function buildAdmin(name: string, overrides: Partial<AdminRecord> = {}): AdminRecord {
  return {
    id: name,
    email: `${name}@staff.example`,
    codename: `Fruit of ${name}`,
    role: 'support',
    is_active: true,
    display_color: '#4251D4',
    permissions: { can_manage_admins: false, can_manage_messages: true },
    created_at: '2026-01-01T00:00:00.000Z',
    last_active_at: null,
    passkeys: 0,
    version: 1,
    ...overrides,
  };
}

const ana = buildAdmin('ana');
const ben = buildAdmin('ben', { role: 'manager' });
const cleo = buildAdmin('cleo', { is_active: false });
const list = [ana, ben, cleo];
const names = (admins: readonly AdminRecord[] | null) => admins?.map(({ id }) => id);
const without = { can_manage_admins: false, can_manage_messages: false };

describe('the list of admins', () => {
  it('sorts active admins first, then by email, as admins are added, removed and restored', () => {
    expect(names(putAdmin(list, buildAdmin('aaron')))).toEqual(['aaron', 'ana', 'ben', 'cleo']);
    const removed = { ...ana, is_active: false, version: 2 };
    expect(names(putAdmin(list, removed))).toEqual(['ben', 'ana', 'cleo']);
    const returned = { ...cleo, is_active: true, version: 2 };
    expect(names(putAdmin(list, returned))).toEqual(['ana', 'ben', 'cleo']);
  });

  it('never returns to an older version of an admin', () => {
    const newer = putAdmin(list, { ...ana, codename: 'New', version: 3 });
    expect(putAdmin(newer, { ...ana, codename: 'Old', version: 2 })[0]?.codename).toBe('New');
    expect(mergeAdmins(newer, list)[0]?.codename).toBe('New');
  });

  it('accepts a fetched list, but keeps newer data about an admin', () => {
    const fetched = [{ ...ana, codename: 'Fetched' }, buildAdmin('dora')];
    expect(mergeAdmins(list, fetched)).toEqual(fetched);
  });

  it('applies the fields of an event and keeps the others', () => {
    const { role, codename, display_color } = ben;
    const event = { role, codename, display_color, permissions: without, is_active: false };
    const next = withAdminUpdated(list, { ...event, admin_id: 'ben', version: 2 });
    expect(next?.[1]).toEqual({ ...ben, permissions: without, is_active: false, version: 2 });
    expect(withAdminUpdated(list, { ...event, admin_id: 'dora', version: 1 })).toBeNull();
  });

  it('shows pending privilege changes on top of the stored ones', () => {
    const changed = withPrivileges(list, [{ id: 'ana', isGranted: false }]);
    expect(changed).toEqual([{ ...ana, permissions: without }, ben, cleo]);
    expect(withPrivileges(list, [])).toBe(list);
  });

  it('counts message access for active admins only', () => {
    expect(countAdmins([...list, buildAdmin('dora', { permissions: without })])).toEqual({
      total: 4,
      active: 3,
      messageAccess: 2,
      inactive: 1,
    });
  });

  it('can be searched by email, codename and role, ignoring case', () => {
    expect(names(findAdmins(list, ' BEN '))).toEqual(['ben']);
    expect(names(findAdmins(list, 'fruit of c'))).toEqual(['cleo']);
    expect(names(findAdmins(list, 'Manager'))).toEqual(['ben']);
    expect(findAdmins(list, '  ')).toBe(list);
  });
});
