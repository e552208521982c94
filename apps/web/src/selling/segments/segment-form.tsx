import { SEGMENT_NAME_MAX_CHARS, type Segment } from '@stagedoor/contract/selling/segments';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { leave } from '../../lib/leave-guard.ts';
import { ApiError, errorText } from '../../lib/server/api.ts';
import { t } from '../../lib/text/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-box.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import { DiscardQuestion } from '../../ui/overlay/discard-question.tsx';
import { showToast } from '../../ui/overlay/toast.ts';
import { AudiencePreview } from './audience-preview.tsx';
import { checkRule, type DraftRule, faultsIn, type RuleFaults } from './draft-rule.ts';
import { newCondition } from './fields.ts';
import { saveSegment, segmentsOptions } from './queries.ts';
import { RuleBuilder } from './rule-builder.tsx';
import { RuleWords } from './rule-words.tsx';

interface SegmentFormProps {
  /** Null for a new segment. */
  segment: Segment | null;
  mayChange: boolean;
  onDone: () => void;
}

const FORM = 'segment';
const FIRST_RULE: DraftRule = { all: [newCondition('spent')] };

/** The form for a segment's name and rule, beside the fans who match the rule now. */
export function SegmentForm({ segment, mayChange, onDone }: SegmentFormProps) {
  const form = useSegmentForm(segment, onDone);
  const element = useRef<HTMLFormElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.save();
    // Runs once the faults are shown.
    requestAnimationFrame(() =>
      element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
    );
  };
  return (
    <form
      ref={element}
      noValidate
      onSubmit={submit}
      className="rounded-card border border-line bg-surface **:scroll-mb-32"
    >
      <div className="flex items-center gap-2 px-4 pt-3">
        <Button
          variant="ghost"
          className="-ms-3"
          onClick={form.close}
          icon={<ArrowLeft className="rtl:-scale-x-100" />}
        >
          {t('All Segments')}
        </Button>
      </div>
      <div className="grid gap-6 p-4 lg:grid-cols-[minmax(0,1fr)_280px]">
        <div className="flex min-w-0 flex-col gap-4">
          {mayChange ? (
            <>
              <div className="max-w-md">
                <TextField
                  label={t('Name')}
                  autoFocus={segment === null}
                  autoComplete="off"
                  maxLength={SEGMENT_NAME_MAX_CHARS}
                  value={form.name}
                  readOnly={form.isSaving}
                  error={form.nameError}
                  onChange={(event) => form.changeName(event.target.value)}
                />
              </div>
              <fieldset disabled={form.isSaving} className="contents">
                <RuleBuilder rule={form.rule} onChange={form.changeRule} faults={form.faults} />
              </fieldset>
            </>
          ) : (
            <>
              <h2 className="text-title font-semibold">{form.name}</h2>
              <p>
                <RuleWords rule={form.rule} />
              </p>
            </>
          )}
        </div>
        <div className="border-line max-lg:border-t max-lg:pt-4 lg:border-s lg:ps-6">
          <AudiencePreview rule={form.rule} />
        </div>
      </div>
      {mayChange && (
        <footer className="sticky bottom-0 z-10 flex flex-wrap items-center justify-end gap-2 rounded-b-card border-t border-line bg-surface px-4 pt-3 pb-[max(12px,env(safe-area-inset-bottom))]">
          {form.failure !== null && (
            <div className="min-w-0 flex-1">
              <ErrorBox text={form.failure} />
            </div>
          )}
          <Button onClick={form.close}>{t('Cancel')}</Button>
          <Button variant="primary" type="submit" busy={form.isSaving}>
            {t('Save Segment')}
          </Button>
        </footer>
      )}
      {form.isDirty && (
        <DiscardQuestion form={FORM} text={t('Your changes to the segment aren’t saved.')} />
      )}
    </form>
  );
}

function useSegmentForm(segment: Segment | null, onDone: () => void) {
  const client = useQueryClient();
  const begin = segment ?? { name: '', rule: FIRST_RULE };
  const [name, setName] = useState(begin.name);
  const [rule, setRule] = useState<DraftRule>(begin.rule);
  const [nameError, setNameError] = useState<string | null>(null);
  const [faults, setFaults] = useState<RuleFaults>({});
  const save = useMutation({
    mutationFn: saveSegment,
    onSuccess: () => {
      showToast({ text: t('Segment saved') });
      void client.invalidateQueries({ queryKey: segmentsOptions.queryKey });
    },
    onError: (error) => {
      if (!(error instanceof ApiError)) return;
      setFaults(faultsIn(error.fields));
      setNameError(error.fields.name ?? null);
    },
  });
  const isShown = Object.keys(faults).length > 0 || nameError !== null;
  return {
    name,
    rule,
    nameError,
    faults,
    isSaving: save.isPending,
    isDirty: !save.isSuccess && (name !== begin.name || rule !== begin.rule),
    /** The error to show if none is shown at a field. */
    failure:
      save.isError && !isShown ? errorText(save.error, t('Couldn’t save the segment')) : null,
    close: () => leave(onDone, FORM),
    changeName(next: string) {
      setName(next);
      setNameError(null);
    },
    changeRule(next: DraftRule) {
      setRule(next);
      setFaults({});
    },
    save() {
      const checked = checkRule(rule);
      setNameError(name.trim() === '' ? t('Please enter a name') : null);
      setFaults('faults' in checked ? checked.faults : {});
      if ('rule' in checked && name.trim() !== '' && !save.isPending)
        save.mutate(
          { id: segment?.id ?? null, name: name.trim(), rule: checked.rule },
          { onSuccess: onDone },
        );
    },
  };
}
