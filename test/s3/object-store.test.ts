import { objectStoreSuite } from "../ports/object-store-suite.ts";
import { s3Test, sharedS3 } from "../servers/s3-tests.ts";
import { storeOn } from "../support/s3-store.ts";

objectStoreSuite("S3", s3Test, async () => storeOn(sharedS3()));
objectStoreSuite("S3 without checksums", s3Test, async () => storeOn(sharedS3(), { checksums: "when-required" }));
