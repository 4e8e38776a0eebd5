CREATE TABLE "agent_stream_controls" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "agent_stream_controls_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"stream" text NOT NULL,
	"person" text NOT NULL,
	"control" text NOT NULL,
	"set_to" boolean,
	"at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "agent_stream_steps" (
	"id" text PRIMARY KEY NOT NULL,
	"stream" text NOT NULL,
	"title" text NOT NULL,
	"status" text NOT NULL,
	"detail" text,
	"tests_passed" integer,
	"tests_failed" integer,
	"cost_usd" numeric(14, 6),
	"at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "agent_stream_steps_status" CHECK ("agent_stream_steps"."status" in ('started', 'passed', 'failed', 'noted'))
);
--> statement-breakpoint
CREATE TABLE "channel_moderators" (
	"channel" text NOT NULL,
	"person" text NOT NULL,
	"added_at" bigint NOT NULL,
	CONSTRAINT "channel_moderators_channel_person_pk" PRIMARY KEY("channel","person")
);
--> statement-breakpoint
CREATE TABLE "channels" (
	"id" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"handle" text NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "managed_streams" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text DEFAULT 'agent' NOT NULL,
	"owner" text NOT NULL,
	"channel" text NOT NULL,
	"task" jsonb NOT NULL,
	"visibility" text NOT NULL,
	"mode" text DEFAULT 'watch' NOT NULL,
	"created_at" bigint NOT NULL,
	"started_at" bigint,
	"ended_at" bigint,
	"ended_why" text,
	"worked_ms" bigint DEFAULT 0 NOT NULL,
	"curtain" jsonb NOT NULL,
	"link_key_hash" text,
	CONSTRAINT "managed_streams_kind" CHECK ("managed_streams"."kind" in ('agent')),
	CONSTRAINT "managed_streams_visibility_known" CHECK ("managed_streams"."visibility" in ('private', 'unlisted', 'public')),
	CONSTRAINT "managed_streams_ended_why" CHECK (("managed_streams"."ended_at" is null) = ("managed_streams"."ended_why" is null)),
	CONSTRAINT "managed_streams_link_key_hashed" CHECK ("managed_streams"."link_key_hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "people" (
	"id" text PRIMARY KEY NOT NULL,
	"handle" text NOT NULL,
	"created_at" bigint NOT NULL,
	"issuer" text,
	"subject" text,
	CONSTRAINT "people_issuer_with_subject" CHECK (("people"."issuer" is null) = ("people"."subject" is null))
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"hash" text PRIMARY KEY NOT NULL,
	"person" text NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "sessions_hashed" CHECK ("sessions"."hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "sign_in_links" (
	"hash" text PRIMARY KEY NOT NULL,
	"person" text NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint,
	CONSTRAINT "sign_in_links_hashed" CHECK ("sign_in_links"."hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "publish_tickets" (
	"hash" text PRIMARY KEY NOT NULL,
	"stream" text NOT NULL,
	"minted_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"replaced_until" bigint,
	"revoked_at" bigint,
	CONSTRAINT "publish_tickets_hashed" CHECK ("publish_tickets"."hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "view_tickets" (
	"hash" text PRIMARY KEY NOT NULL,
	"stream" text NOT NULL,
	"person" text,
	"first_minted_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"revoked_at" bigint,
	CONSTRAINT "view_tickets_hashed" CHECK ("view_tickets"."hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
ALTER TABLE "agent_stream_controls" ADD CONSTRAINT "agent_stream_controls_stream_managed_streams_id_fk" FOREIGN KEY ("stream") REFERENCES "public"."managed_streams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_stream_controls" ADD CONSTRAINT "agent_stream_controls_person_people_id_fk" FOREIGN KEY ("person") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_stream_steps" ADD CONSTRAINT "agent_stream_steps_stream_managed_streams_id_fk" FOREIGN KEY ("stream") REFERENCES "public"."managed_streams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_moderators" ADD CONSTRAINT "channel_moderators_channel_channels_id_fk" FOREIGN KEY ("channel") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_moderators" ADD CONSTRAINT "channel_moderators_person_people_id_fk" FOREIGN KEY ("person") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_owner_people_id_fk" FOREIGN KEY ("owner") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "managed_streams" ADD CONSTRAINT "managed_streams_owner_people_id_fk" FOREIGN KEY ("owner") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "managed_streams" ADD CONSTRAINT "managed_streams_channel_channels_id_fk" FOREIGN KEY ("channel") REFERENCES "public"."channels"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_person_people_id_fk" FOREIGN KEY ("person") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_links" ADD CONSTRAINT "sign_in_links_person_people_id_fk" FOREIGN KEY ("person") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publish_tickets" ADD CONSTRAINT "publish_tickets_stream_managed_streams_id_fk" FOREIGN KEY ("stream") REFERENCES "public"."managed_streams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "view_tickets" ADD CONSTRAINT "view_tickets_stream_managed_streams_id_fk" FOREIGN KEY ("stream") REFERENCES "public"."managed_streams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "view_tickets" ADD CONSTRAINT "view_tickets_person_people_id_fk" FOREIGN KEY ("person") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_stream_controls_stream" ON "agent_stream_controls" USING btree ("stream","id");--> statement-breakpoint
CREATE INDEX "agent_stream_steps_stream" ON "agent_stream_steps" USING btree ("stream","id");--> statement-breakpoint
CREATE INDEX "channel_moderators_person" ON "channel_moderators" USING btree ("person");--> statement-breakpoint
CREATE UNIQUE INDEX "channels_owner" ON "channels" USING btree ("owner");--> statement-breakpoint
CREATE UNIQUE INDEX "channels_handle" ON "channels" USING btree (lower("handle"));--> statement-breakpoint
CREATE INDEX "managed_streams_channel" ON "managed_streams" USING btree ("channel","id");--> statement-breakpoint
CREATE INDEX "managed_streams_owner" ON "managed_streams" USING btree ("owner","id");--> statement-breakpoint
CREATE INDEX "managed_streams_owner_open" ON "managed_streams" USING btree ("owner") WHERE "managed_streams"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "managed_streams_visibility_open" ON "managed_streams" USING btree ("visibility","id") WHERE "managed_streams"."ended_at" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "managed_streams_link_key" ON "managed_streams" USING btree ("link_key_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "people_handle" ON "people" USING btree (lower("handle"));--> statement-breakpoint
CREATE UNIQUE INDEX "people_issuer_subject" ON "people" USING btree ("issuer","subject");--> statement-breakpoint
CREATE INDEX "sessions_person" ON "sessions" USING btree ("person","expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_links_person" ON "sign_in_links" USING btree ("person","expires_at");--> statement-breakpoint
CREATE INDEX "publish_tickets_stream" ON "publish_tickets" USING btree ("stream");--> statement-breakpoint
CREATE UNIQUE INDEX "publish_tickets_current" ON "publish_tickets" USING btree ("stream") WHERE "publish_tickets"."replaced_until" is null and "publish_tickets"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "view_tickets_stream" ON "view_tickets" USING btree ("stream");--> statement-breakpoint
CREATE INDEX "view_tickets_expires" ON "view_tickets" USING btree ("expires_at");