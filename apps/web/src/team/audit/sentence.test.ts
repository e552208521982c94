import type { AuditEntry } from '@stagedoor/contract/team/audit';
import { createElement, Fragment } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { actionLabel, sentenceOf } from './sentence.ts';

const nameOf = (id: string) => (id === 'kiwi' ? 'Kiwi' : null);

function sentenceFor(action: string, entry: Partial<AuditEntry> = {}): string {
  const admin = { target_id: 'kiwi', target_label: 'kiwi@staff.example' };
  const sentence = sentenceOf('Plum', { action, details: {}, ...admin, ...entry }, nameOf);
  return renderToStaticMarkup(createElement(Fragment, null, sentence));
}

describe('a sentence in the audit log', () => {
  it('names an admin by codename and email', () => {
    expect(sentenceFor('admin.remove')).toBe('Plum removed Kiwi (kiwi@staff.example)');
    expect(sentenceFor('admin.remove', { target_id: 'other' })).toBe(
      'Plum removed kiwi@staff.example',
    );
    expect(sentenceFor('admin.remove', { target_label: null })).toBe('Plum removed Kiwi');
  });

  it('describes changes to a role, a privilege and a codename', () => {
    expect(
      sentenceFor('admin.update_role', { details: { role: 'moderator', was: 'support' } }),
    ).toBe('Plum changed the role of Kiwi (kiwi@staff.example) from support to moderator');
    expect(
      sentenceFor('admin.update_permissions', { details: { can_manage_messages: true } }),
    ).toMatch(/^Plum granted message privileges to/);
    expect(
      sentenceFor('admin.update_permissions', { details: { can_manage_messages: false } }),
    ).toMatch(/^Plum revoked the message privileges of/);
    expect(
      sentenceFor('admin.update_codename', { details: { codename: 'Plum', was: 'Kiwi' } }),
    ).toBe('Plum renamed Kiwi to Plum');
  });

  it('includes a product’s price and its changed fields', () => {
    const target_label = 'Set 1';
    expect(sentenceFor('product.create', { target_label, details: { price_cents: 999 } })).toBe(
      'Plum created the product “Set 1” for $9.99',
    );
    expect(
      sentenceFor('product.update', { target_label, details: { title: 'a', price_cents: 1 } }),
    ).toBe('Plum changed the product “Set 1”: title, price');
  });

  it('names each changed team rule as the settings page does', () => {
    const change = (details: object) => sentenceFor('settings.update', { details: { ...details } });
    const rules = {
      claim_on_first_reply: true,
      mass_messages_a_day: 2,
      quiet_from_hour: 22,
      quiet_until_hour: 8,
      time_zone: 'America/New_York',
      earning_period: 'two_weekly',
      clock_idle_minutes: 45,
      access_only_on_shift: true,
    };
    expect(change({ ...rules, was: {} })).toBe(
      'Plum changed the team’s rules: claim on first reply: on, mass messages a day: 2, quiet hours: from 22:00, quiet hours: until 08:00, team time zone: America/New York, pay period: every two weeks, stop idle clocks: after 45 minutes, access only on shift: on',
    );
    expect(change({ quiet_from_hour: null, quiet_until_hour: null })).toBe(
      'Plum changed the team’s rules: quiet hours: off',
    );
  });

  it('names the new owner of conversations at the end of a shift', () => {
    const [given, released] = [{ to: 'kiwi' }, { to: null }];
    const to = (details: object) =>
      sentenceFor('conversation.hand_over', { target_label: 'Ana', details: { ...details } });
    expect(to(given)).toBe('Plum handed the conversation with Ana over to Kiwi');
    expect(to(released)).toBe('Plum released the conversation with Ana at the end of a shift');
    const shift = (details: object) =>
      sentenceFor('admin.end_shift', { details: { ...details, conversations: 3 } });
    expect(shift(given)).toBe('Plum ended a shift and handed over to Kiwi (3)');
    expect(shift(released)).toBe('Plum ended a shift and released their conversations (3)');
  });

  it('names the author of a changed or deleted staff note, and the fan', () => {
    const entry = { target_label: 'Ana', details: { author_id: 'kiwi' } };
    expect(sentenceFor('conversation.delete_staff_note', entry)).toBe(
      'Plum deleted a staff note by Kiwi in the conversation with Ana',
    );
    expect(sentenceFor('conversation.edit_staff_note', entry)).toBe(
      'Plum edited one of their staff notes in the conversation with Ana',
    );
  });

  it('names the admin whose claim was released', () => {
    const entry = { target_label: 'Ana', details: { claimed_by: 'kiwi' } };
    expect(sentenceFor('conversation.release_for_other', entry)).toBe(
      'Plum released the conversation with Ana, which Kiwi had claimed',
    );
  });

  it('includes when a snooze ends', () => {
    const target_label = 'Ana';
    expect(sentenceFor('conversation.snooze', { target_label, details: { until: null } })).toBe(
      'Plum snoozed the conversation with Ana until they write',
    );
    const until = '2026-11-23T09:00:00+00:00';
    expect(sentenceFor('conversation.snooze', { target_label, details: { until } })).toMatch(
      /^Plum snoozed the conversation with Ana until Monday, November 23, 2026/,
    );
    expect(sentenceFor('conversation.unsnooze', { target_label })).toBe(
      'Plum ended the snooze for the conversation with Ana',
    );
  });

  it('describes an invitation without its address when that is no longer stored', () => {
    expect(sentenceFor('invite.create', { target_label: null })).toBe(
      'Plum invited someone to the platform',
    );
    expect(sentenceFor('invite.resend', { target_label: 'a@b.c' })).toBe(
      'Plum resent the invitation to a@b.c',
    );
  });

  it('names platform API keys, and describes webhook actions', () => {
    const target_label = 'Fan app';
    expect(sentenceFor('platform_key.create', { target_label })).toBe(
      'Plum created the platform key “Fan app”',
    );
    expect(sentenceFor('platform_key.revoke', { target_label })).toBe(
      'Plum revoked the platform key “Fan app”',
    );
    expect(sentenceFor('webhook.test')).toBe('Plum sent a test event to the webhook');
    expect(sentenceFor('webhook.redeliver', { details: { type: 'message.read' } })).toBe(
      'Plum redelivered an event (message.read) to the webhook',
    );
  });

  it('includes the refunded payment and the reason', () => {
    const target_label = 'Sunset Set';
    const details = { payment: 'pi_1', reason: 'already_owned' };
    expect(sentenceFor('payment.give_back', { target_label, details })).toBe(
      'Plum asked Stripe to refund a payment for “Sunset Set”: the fan already owned it',
    );
    expect(
      sentenceFor('payment.give_back', {
        target_label: null,
        details: { reason: 'amount_mismatch' },
      }),
    ).toBe('Plum asked Stripe to refund a payment: the amount was wrong');
    expect(sentenceFor('payment.refund', { target_label, details: { payment: 'p1' } })).toBe(
      'Plum recorded the refund of a payment for “Sunset Set”',
    );
    expect(actionLabel('payment.give_back')).toBe('Stripe refund requested');
  });

  it('names mass messages, and why the server paused one', () => {
    const target_label = 'Sunday';
    expect(sentenceFor('campaign.create', { target_label })).toBe(
      'Plum created the mass message “Sunday”',
    );
    expect(sentenceFor('campaign.update', { target_label })).toBe(
      'Plum changed the mass message “Sunday”',
    );
    expect(sentenceFor('campaign.start', { target_label })).toBe(
      'Plum started the mass message “Sunday”',
    );
    expect(sentenceFor('campaign.begin', { target_label })).toBe(
      'Plum began sending the mass message “Sunday”',
    );
    expect(sentenceFor('campaign.finish', { target_label })).toBe(
      'Plum finished sending the mass message “Sunday”',
    );
    expect(sentenceFor('campaign.expire', { target_label })).toBe(
      'Plum ended the expired mass message “Sunday”',
    );
    expect(sentenceFor('campaign.pause', { target_label })).toBe(
      'Plum paused the mass message “Sunday”',
    );
    const details = { name: 'Sunday', reason: 'Product not found' };
    expect(sentenceFor('campaign.pause', { target_label, details })).toBe(
      'Plum paused the mass message “Sunday”: Product not found',
    );
    expect(sentenceFor('campaign.resume', { target_label })).toBe(
      'Plum resumed the mass message “Sunday”',
    );
    expect(sentenceFor('campaign.cancel', { target_label })).toBe(
      'Plum canceled the mass message “Sunday”',
    );
    expect(actionLabel('campaign.cancel')).toBe('Mass message canceled');
  });

  it('describes unknown actions', () => {
    expect(sentenceFor('robot.switch_off', { target_label: 'x' })).toBe(
      'Plum performed “switch off” on robot “x”',
    );
    expect(actionLabel('robot.switch_off')).toBe('Robot: switch off');
    expect(actionLabel('product.delete')).toBe('Product deleted');
  });
});
