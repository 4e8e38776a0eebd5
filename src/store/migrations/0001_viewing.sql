CREATE TABLE "stills" (
	"stream" text NOT NULL,
	"hash" text NOT NULL,
	"bytes" "bytea" NOT NULL,
	"kept_at" bigint NOT NULL,
	CONSTRAINT "stills_stream_hash_pk" PRIMARY KEY("stream","hash"),
	CONSTRAINT "stills_hashed" CHECK ("stills"."hash" ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
CREATE TABLE "stream_shares" (
	"stream" text NOT NULL,
	"person" text NOT NULL,
	"shared_at" bigint NOT NULL,
	CONSTRAINT "stream_shares_stream_person_pk" PRIMARY KEY("stream","person")
);
--> statement-breakpoint
ALTER TABLE "managed_streams" ADD COLUMN "still_hash" text;--> statement-breakpoint
ALTER TABLE "managed_streams" ADD COLUMN "still_type" text;--> statement-breakpoint
ALTER TABLE "managed_streams" ADD COLUMN "still_size" integer;--> statement-breakpoint
ALTER TABLE "managed_streams" ADD COLUMN "still_at" bigint;--> statement-breakpoint
-- Nothing minted view tickets before this; one without a right would open nothing.
DELETE FROM "view_tickets";--> statement-breakpoint
ALTER TABLE "view_tickets" ADD COLUMN "view_right" jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "stills" ADD CONSTRAINT "stills_stream_managed_streams_id_fk" FOREIGN KEY ("stream") REFERENCES "public"."managed_streams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stream_shares" ADD CONSTRAINT "stream_shares_stream_managed_streams_id_fk" FOREIGN KEY ("stream") REFERENCES "public"."managed_streams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stream_shares" ADD CONSTRAINT "stream_shares_person_people_id_fk" FOREIGN KEY ("person") REFERENCES "public"."people"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stream_shares_person" ON "stream_shares" USING btree ("person","stream");--> statement-breakpoint
CREATE INDEX "managed_streams_channel_open" ON "managed_streams" USING btree ("channel","id") WHERE "managed_streams"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "managed_streams_channel_public" ON "managed_streams" USING btree ("channel","id") WHERE "managed_streams"."visibility" = 'public';--> statement-breakpoint
CREATE INDEX "managed_streams_public" ON "managed_streams" USING btree ("id") WHERE "managed_streams"."visibility" = 'public';--> statement-breakpoint
CREATE INDEX "sessions_expires" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_links_expires" ON "sign_in_links" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "managed_streams" ADD CONSTRAINT "managed_streams_still_hashed" CHECK ("managed_streams"."still_hash" ~ '^[0-9a-f]{64}$');--> statement-breakpoint
ALTER TABLE "managed_streams" ADD CONSTRAINT "managed_streams_still_type" CHECK ("managed_streams"."still_type" in ('image/jpeg', 'image/webp'));--> statement-breakpoint
ALTER TABLE "managed_streams" ADD CONSTRAINT "managed_streams_still_whole" CHECK (num_nulls("managed_streams"."still_hash", "managed_streams"."still_type", "managed_streams"."still_size", "managed_streams"."still_at") in (0, 4));--> statement-breakpoint
DROP INDEX "managed_streams_owner_open";--> statement-breakpoint
CREATE INDEX "managed_streams_owner_open" ON "managed_streams" USING btree ("owner","id") WHERE "managed_streams"."ended_at" is null;--> statement-breakpoint
ALTER TABLE "view_tickets" ADD CONSTRAINT "view_tickets_link_key_hashed" CHECK ("view_tickets"."view_right" ->> 'key' ~ '^[0-9a-f]{64}$');