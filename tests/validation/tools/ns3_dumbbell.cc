// Long-lived TCP flows through one drop-tail bottleneck in ns-3.44: the cases of ../data/ns3-newreno.json.
// Prints one JSON line. How to build it: docs/validation.md. Run by hand.
#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/traffic-control-module.h"
#include <iostream>
using namespace ns3;

static uint64_t sent = 0, drops = 0;
static double area = 0, last = 0;
static uint32_t length = 0;
static bool measuring = false;

static void Settle() {
  double now = Simulator::Now().GetSeconds();
  if (measuring) area += length * (now - last);
  last = now;
}
static void Enqueued(Ptr<const Packet>) { Settle(); length++; }
static void Dequeued(Ptr<const Packet>) { Settle(); length--; }
static void Dropped(Ptr<const Packet>) { if (measuring) drops++; }
static void Sent(Ptr<const Packet>) { if (measuring) sent++; }

int main(int argc, char **argv)
{
  uint32_t flows = 1, buffer = 66, seed = 1;
  double rate = 20e6, rtt = 0.04, warmup = 15, window = 60, jitter = 1.0, minrto = 0.2;
  double rates = 10e9, spread = 0;
  std::string recovery = "ns3::TcpPrrRecovery";
  CommandLine cmd(__FILE__);
  cmd.AddValue("flows", "connections that always have data to send", flows);
  cmd.AddValue("buffer", "packets waiting", buffer);
  cmd.AddValue("seed", "run of the random numbers", seed);
  cmd.AddValue("rate", "bit/s of 1500 B packets", rate);
  cmd.AddValue("rtt", "s, without transmission", rtt);
  cmd.AddValue("warmup", "s before measuring", warmup);
  cmd.AddValue("window", "s measured", window);
  cmd.AddValue("jitter", "s within which the connections start", jitter);
  cmd.AddValue("access", "bit/s of every host's link, of 1502 B frames", rates);
  cmd.AddValue("spread", "share by which round trips differ either way", spread);
  cmd.AddValue("recovery", "loss recovery", recovery);
  cmd.AddValue("minrto", "s, smallest retransmission timeout", minrto);
  cmd.Parse(argc, argv);
  RngSeedManager::SetSeed(1); RngSeedManager::SetRun(seed);
  Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpLinuxReno"));
  Config::SetDefault("ns3::TcpL4Protocol::RecoveryType", StringValue(recovery));
  Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(true));
  Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(Seconds(minrto)));
  Config::SetDefault("ns3::TcpSocketBase::ClockGranularity", TimeValue(MicroSeconds(1)));
  Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
  Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
  Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(2));
  Config::SetDefault("ns3::TcpSocket::DelAckTimeout", TimeValue(MilliSeconds(40)));
  Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(1 << 25));
  Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(1 << 25));

  NodeContainer left, right, routers; left.Create(flows); right.Create(flows); routers.Create(2);
  InternetStackHelper stack; stack.InstallAll();
  // 1448 B of payload make 1500 B of IP packet and 2 B of PPP: the rate is that of 1500 B.
  double wire = rate * 1502.0 / 1500.0;
  PointToPointHelper middle;
  middle.SetDeviceAttribute("DataRate", DataRateValue(DataRate(uint64_t(wire))));
  middle.SetChannelAttribute("Delay", TimeValue(Seconds(rtt / 8)));
  middle.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, buffer)));
  NetDeviceContainer core = middle.Install(routers);
  PointToPointHelper access;
  access.SetDeviceAttribute("DataRate", DataRateValue(DataRate(uint64_t(rates))));
  access.SetChannelAttribute("Delay", TimeValue(Seconds(rtt * 3 / 16)));
  access.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", StringValue("100000p"));
  Ipv4AddressHelper address("10.0.0.0", "255.255.255.252");
  auto join = [&](NetDeviceContainer d) { auto i = address.Assign(d); address.NewNetwork(); return i; };
  join(core);
  std::vector<Ipv4Address> sinks;
  Ptr<UniformRandomVariable> nearer;  // a further stream of random numbers would change the others
  if (spread > 0) nearer = CreateObject<UniformRandomVariable>();
  for (uint32_t i = 0; i < flows; i++) {
    double more = spread > 0 ? rtt / 4 * nearer->GetValue(-spread, spread) : 0;
    access.SetChannelAttribute("Delay", TimeValue(Seconds(rtt * 3 / 16 + more)));
    join(access.Install(left.Get(i), routers.Get(0)));
    sinks.push_back(join(access.Install(routers.Get(1), right.Get(i))).GetAddress(1));
  }
  // No queueing discipline in front of a device: its own queue is the buffer.
  TrafficControlHelper control;
  for (uint32_t i = 0; i < NodeList::GetNNodes(); i++)
    for (uint32_t d = 0; d < NodeList::GetNode(i)->GetNDevices(); d++) {
      Ptr<NetDevice> dev = NodeList::GetNode(i)->GetDevice(d);
      if (DynamicCast<PointToPointNetDevice>(dev)) control.Uninstall(dev);
    }
  Ipv4GlobalRoutingHelper::PopulateRoutingTables();
  Ptr<UniformRandomVariable> draw = CreateObject<UniformRandomVariable>();
  for (uint32_t i = 0; i < flows; i++) {
    PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 5000));
    sink.Install(right.Get(i)).Start(Seconds(0));
    BulkSendHelper bulk("ns3::TcpSocketFactory", InetSocketAddress(sinks[i], 5000));
    bulk.SetAttribute("SendSize", UintegerValue(14480));
    bulk.Install(left.Get(i)).Start(Seconds(draw->GetValue(0, jitter)));
  }
  Ptr<PointToPointNetDevice> port = DynamicCast<PointToPointNetDevice>(core.Get(0));
  auto queue = port->GetQueue();
  queue->TraceConnectWithoutContext("Enqueue", MakeCallback(&Enqueued));
  queue->TraceConnectWithoutContext("Dequeue", MakeCallback(&Dequeued));
  // A full device queue is stopped, and the layer above drops what it may not hand down.
  port->TraceConnectWithoutContext("MacTxDrop", MakeCallback(&Dropped));
  routers.Get(0)->GetObject<TrafficControlLayer>()->TraceConnectWithoutContext("TcDrop", MakeCallback(&Dropped));
  port->TraceConnectWithoutContext("PhyTxBegin", MakeCallback(&Sent));
  Simulator::Schedule(Seconds(warmup), [] { Settle(); measuring = true; });
  Simulator::Stop(Seconds(warmup + window));
  Simulator::Run();
  Settle();
  std::cout << "{\"flows\": " << flows << ", \"rate\": " << rate << ", \"rtt\": " << rtt << ", \"buffer\": " << buffer
            << ", \"seed\": " << seed << ", \"recovery\": \"" << recovery << "\", \"utilisation\": "
            << sent * 12000.0 / rate / window << ", \"drop_rate\": "
            << double(drops) / std::max<uint64_t>(1, sent + drops)
            << ", \"queue_mean\": " << area / window << ", \"packets\": " << sent << ", \"drops\": " << drops << "}\n";
  Simulator::Destroy();
}
