/** Tables and columns get the names that the code uses; every function that names them is made anew with the new names. */
export const namesOfTheField = `
ALTER TABLE deliveries RENAME COLUMN shelf TO queue;
ALTER TABLE deliveries RENAME CONSTRAINT deliveries_shelf_check TO deliveries_queue_check;
ALTER INDEX deliveries_on_shelf RENAME TO deliveries_by_queue;

ALTER TABLE delivery_hands RENAME TO delivery_workers;
ALTER INDEX delivery_hands_pkey RENAME TO delivery_workers_pkey;

ALTER TABLE stirred_mails RENAME TO relocations;
ALTER INDEX stirred_mails_pkey RENAME TO relocations_pkey;

ALTER TABLE unsent_counts RENAME COLUMN lane TO slot;
ALTER TABLE mailed_counts RENAME COLUMN lane TO slot;

ALTER TABLE contact_acts RENAME TO contact_actions;
ALTER TABLE contact_actions RENAME COLUMN act TO action;
ALTER INDEX contact_acts_pkey RENAME TO contact_actions_pkey;
ALTER INDEX contact_acts_by_age RENAME TO contact_actions_by_age;
ALTER SEQUENCE contact_acts_id_seq RENAME TO contact_actions_id_seq;
ALTER TABLE contact_actions RENAME CONSTRAINT contact_acts_act_check TO contact_actions_action_check;
ALTER TRIGGER contact_acts_forgotten ON contact_actions RENAME TO contact_actions_forgotten;
ALTER TABLE deleted_contacts RENAME COLUMN act_id TO action_id;

ALTER TABLE contact_standings RENAME TO contact_statuses;
ALTER INDEX contact_standings_pkey RENAME TO contact_statuses_pkey;
ALTER INDEX contact_standings_by_status RENAME TO contact_statuses_by_status;
ALTER INDEX contact_standings_by_time RENAME TO contact_statuses_by_time;
ALTER TRIGGER standings_counted_in ON contact_statuses RENAME TO statuses_counted_in;
ALTER TRIGGER standings_counted_on ON contact_statuses RENAME TO statuses_counted_on;
ALTER TRIGGER standings_counted_out ON contact_statuses RENAME TO statuses_counted_out;

-- The text of a function keeps the old names until it is made anew.
DO $$
DECLARE
  f record;
  name text[];
  body text;
BEGIN
  FOR f IN SELECT pg_get_functiondef(oid) AS body FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
    AND proname <> 'contact_standing' LOOP
    body := f.body;
    FOREACH name SLICE 1 IN ARRAY ARRAY[
      ['shelf', 'queue'],
      ['delivery_hands', 'delivery_workers'],
      ['stirred_mails', 'relocations'],
      ['lane', 'slot'],
      ['contact_acts', 'contact_actions'],
      ['act_id', 'action_id'],
      ['contact_standings', 'contact_statuses'],
      ['contact_standing', 'contact_status']
    ] LOOP
      body := regexp_replace(body, '\\m' || name[1] || '\\M', name[2], 'g');
    END LOOP;
    IF body <> f.body THEN
      EXECUTE body;
    END IF;
  END LOOP;
END $$;

ALTER FUNCTION forget_act RENAME TO forget_action;
ALTER FUNCTION stand_contacts RENAME TO derive_contact_statuses;
ALTER FUNCTION contact_standing RENAME TO contact_status;
`
