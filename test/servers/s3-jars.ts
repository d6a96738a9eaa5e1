import { mavenJars } from "./maven-jars.ts";

export const S3PROXY_VERSION = "4.1.0";

/** s3proxy's own pom leaves the choice of jackson-annotations to Maven, which selects a version that is too old. */
const dependencies = `
    <dependency><groupId>org.gaul</groupId><artifactId>s3proxy</artifactId><version>${S3PROXY_VERSION}</version></dependency>
    <dependency>
      <groupId>com.fasterxml.jackson.core</groupId>
      <artifactId>jackson-annotations</artifactId>
      <version>2.21</version>
    </dependency>
`;

/** The folder of s3proxy's jars. @throws {NoJarsError} */
export async function s3Jars(): Promise<string> {
  return mavenJars({ name: "s3proxy", version: S3PROXY_VERSION, group: "org.gaul", dependencies });
}
