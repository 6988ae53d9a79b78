"""The tables of flows: sender and receiver, segments under way, samples of delivery rates, what a law is told."""

from __future__ import annotations

from footroom.kernel.tables import table

#: One flow: sender and receiver. A law may write cwnd, ssthresh, cut_end, cwr, rate, law_at and its
#: own memory; it reads the rest.
FLOW = table(
    # a group of fields is a line of the processor's cache; an acknowledgement touches the first four, data the first
    # and the fifth
    ("una", "i8"),
    ("nxt", "i8"),
    ("top", "i8"),  # oldest unacknowledged, next to send, highest ever sent + 1
    ("cwnd", "f8"),
    ("ssthresh", "f8"),
    ("segments", "i8"),
    ("end", "i8"),  # data; when the last byte was acknowledged, -1 under way
    ("entry", "i4"),  # traffic entry
    ("mode", "i4"),  # 0 open, 1 recovery, 2 after a timeout
    ("sacked", "i8"),
    ("lost", "i8"),
    ("resent", "i8"),  # segments outstanding of each sort
    ("rto_at", "i8"),
    ("timer_at", "i8"),
    # Segments that the application has handed over: all, those of queries it has begun, or what the write buffer held.
    ("ready", "i8"),
    ("room", "i8"),  # segments that its write buffer holds
    ("ring", "i4"),
    ("ring_size", "i4"),  # the ring of segments between una and top
    ("force", "i1"),  # segments that may be sent whatever the window
    ("cwr", "i1"),  # whether the next new segment says that the window was cut
    ("priority", "i1"),  # class of its data
    ("probing", "i1"),  # whether a probe is to be sent as soon as pacing lets it
    ("probe_again", "i1"),  # whether the last probe repeats a segment
    ("timed", "i1"),  # whether a round trip was measured since the last probe
    ("reducing", "i1"),  # whether a mark's cut is under way, over the round trip up to cut_end
    ("rto", "i8"),
    ("srtt", "i8"),
    ("rttvar", "i8"),
    ("min_rtt", "i8"),
    ("newest", "i8"),  # latest sending known to have arrived
    ("resent_head", "i8"),  # oldest segment sent again
    ("delivered", "i8"),
    ("wake_at", "i8"),
    ("forward", "i8"),
    ("scratch", "i8"),  # address of the law's own memory
    ("cut_end", "i8"),  # marks below this segment have been reacted to
    ("pace_left", "i8"),  # segments left of the present burst
    ("granted", "i8"),  # segments that may still leave of the burst of new data that has begun
    ("probe_at", "i8"),  # when a probe is due, or a hole a loss; 0 when that is to be computed anew
    ("probe_end", "i8"),  # the segment after those outstanding when a probe was sent; -1 while none is under way
    ("at_host", "i4"),
    ("blocked", "i4"),  # its packets in its host's queue; whether it waits for them to leave
    # receiver
    ("rcv", "i8"),
    ("beyond", "i8"),  # next expected; segments received beyond a gap
    ("pending", "i8"),
    ("pending_stamp", "i8"),
    ("ack_at", "i8"),
    ("reverse", "i8"),
    # Segments at the start that are acknowledged one by one; with receive_buffer, acknowledgements to come at once.
    ("quick", "i8"),
    ("open", "i8"),  # window that the receiver may announce [B], 0 before the first segment, and as far as it may grow
    ("open_most", "i8"),
    ("read_most", "i8"),  # most bytes read in a round trip; up to which segment, and when, that was counted last
    ("read_to", "i8"),
    ("read_at", "i8"),
    ("gap_at", "i8"),  # the gap that was last reported, and how often at once; only with sack_delay
    ("gap_reports", "i1"),
    ("echo", "i1"),  # the mark to report, 0 or 1
    ("ack_priority", "i1"),  # class of what it sends
    # rarely
    ("rcv_left", "i8"),
    ("rcv_right", "i8"),  # receiver: the block the newest segment beyond a gap belongs to
    ("mark", "i8"),  # how far losses were marked
    ("recover", "i8"),
    ("dupacks", "i8"),
    ("repair", "i8"),  # where to look for the next to resend
    ("high2", "i8"),
    ("high3", "i8"),
    ("block_left", "i8"),
    ("block_right", "i8"),  # last block processed
    ("resent_tail", "i8"),
    ("high1", "i8"),  # high1 to high3: highest selectively acknowledged
    ("prr_delivered", "i8"),
    ("prr_out", "i8"),
    ("prr_flight", "i8"),  # outstanding as the reduction began; without blocks, as the flow's largest did
    ("partial", "i8"),  # partial acknowledgements seen in this recovery
    ("rescue", "i8"),  # where the recovery ended that last sent its final segment again on suspicion
    ("tried", "i8"),  # oldest segment at the last timeout
    ("pace_at", "i8"),  # earliest next burst
    ("start", "i8"),
    ("last_size", "i8"),
    ("answered", "i8"),  # queries answered so far
    ("lead", "i8"),  # connection set-up between start and first data
    ("following", "i8"),  # the flow that starts after this one's end; -1 for none
    ("gap", "i8"),  # from the end that it waits for to its start
    ("barrier", "i8"),  # the first flow of the query that begins when the one it answers has ended; -1 for none
    ("awaited", "i4"),
    ("together", "i4"),  # of that first flow: answers still awaited; how many flows start with it
    ("window", "f8"),  # segments to start with; 0 for slow start
    # Packets sent to set up its connection, plus one, until one is answered; then that many, negative. 0: none are.
    ("setup", "i8"),
    ("setup_retries", "i8"),  # of those, all but the first: a counter
    ("continues", "i8"),  # the flow before it on the same connection; -1 for a new one
    ("waits", "i8"),  # whether its time has come before that one's end
    ("last_sent", "i8"),  # when it last sent; kept for persistent connections only
    ("timeouts", "i8"),
    ("retransmissions", "i8"),  # counters, like delivered
    ("dropped", "i8"),  # its data packets that some switch refused
    ("trip", "i8"),  # round trip of what arrived last; only with timeout_losses overdue
    # only with tail loss probes
    ("handshake", "i8"),  # round trip known before any data; 0 for none
    ("probes", "i4"),  # counter, like timeouts
    ("clock", "i4"),  # for how long its host ran at time 0, in 65536ths of a tick
    # only with a law that is told delivery rates
    ("pace_rate", "f8"),  # segments per second that the law lets out
    ("arrived", "i8"),
    ("arrived_at", "i8"),  # segments known to have arrived, and when the last of them was
    ("first_sent", "i8"),  # when the segments under way began to leave
    ("limited", "i8"),  # samples are those of a sender without data until so many have arrived; 0 for none
    ("losses", "i8"),  # segments marked as lost, again and again
    ("arrived_marked", "i8"),  # of those known to have arrived, how many the receiver reported as marked
    # whether the window was full when something was last sent, and within the window before; most outstanding in it
    ("window_full", "i8"),
    ("window_end", "i8"),
    ("most_out", "i8"),
    ("random", "u8"),  # splitmix64 state
    # only where a probe brings telemetry back
    ("asked_at", "i8"),  # when the probe under way was sent; -1 while none is
    # of RDMA hosts, the second also with such a law, the first also with telemetry
    ("rate", "f8"),  # most it sends [bit/s]: what its law says
    ("paced_at", "i8"),
    ("paced_bits", "i8"),  # when its last packet or burst left, and its bits on the link
    ("law_at", "i8"),  # when the law's timer is due, set by the law
    ("law_armed", "i8"),  # when the event of that timer is pending
    ("timed_from", "i8"),  # when the retransmission timer was last restarted
    ("nack_at", "i8"),
    ("nacked", "i8"),  # receiver: when the gap before that segment may be reported again
    ("cnp_at", "i8"),  # receiver: when the next notification may be sent
    ("notices", "i8"),  # receiver: notifications sent, a counter
    # only where receivers allot windows
    ("host", "i8"),  # the receiving host's row
    ("edge", "i8"),  # sender: the segment after those that the receiver has offered to take
    ("heard", "i8"),  # sender: when the newest acknowledgement that has come was sent; 0 for none
)


#: What a host knows that allots windows to its connections; see ``packet.allotment``.
RECEIVER = table(
    ("capacity", "f8"),  # of its link [bit/ps]
    ("until", "i8"),
    ("length", "i8"),  # end of this half of a slot, and how long it is
    ("phase", "i8"),
    ("slot", "i8"),  # which half; number of the slot
    ("bytes", "i8"),  # arrived in the first half
    ("measured", "f8"),
    ("available", "f8"),  # spare rate at its end, and what is left of that [bit/ps]
    ("trips", "f8"),
    ("weight", "f8"),  # round trips of what arrived, times bytes; bytes
    ("windows", "f8"),
    ("connections", "i8"),  # sum of the windows, and how many
)


#: What an acknowledgement brings where receivers allot windows: the end of what is offered, and when it was sent; a
#: data packet brings back the latter.
OFFER = table(("edge", "i8"), ("at", "i8"))


#: One outstanding segment of a flow.
SEGMENT = table(("sent", "i8"), ("next", "i4"), ("prev", "i4"), ("flags", "i8"))


#: What was known when an outstanding segment was sent last, for the sample of its delivery rate.
SAMPLE = table(
    ("arrived", "i8"),
    ("arrived_at", "i8"),
    ("first_sent", "i8"),  # the flow's fields at that moment
    ("limited", "i4"),  # whether its sender was without data
    ("flight", "i4"),  # segments in flight, this one included
    ("losses", "i4"),
    ("marked", "i4"),  # the flow's losses and arrived_marked
)


#: What a law is told: the last thing that happened to one flow. Counts are of segments; a hook says what it reads.
REPORT = table(
    ("now", "i8"),  # time
    ("acked", "i8"),  # newly acknowledged in order
    ("delivered", "i8"),  # newly known to have arrived, in order or by selective acknowledgement
    ("flight", "i8"),  # outstanding
    ("marked", "i8"),  # of those acknowledged, how many the receiver reports as marked
    ("rtt", "i8"),  # round trip that this acknowledgement measures; -1 for none
    ("window", "i8"),  # initial window
    ("burst", "i8"),  # segments of new data that wait for each other
    ("bytes", "i8"),  # of the link that the packet sent just now takes; at the start, a full packet
    ("resumed", "i8"),  # whether the flow goes on over the connection of one that has ended
    # with a sample of the delivery rate
    ("prior_flight", "i8"),  # segments in flight before
    ("prior_arrived", "i8"),  # segments known to have arrived when the newest one of these was sent
    ("sample", "i8"),  # segments that have arrived since; -1 where nothing new has
    ("interval", "i8"),  # the time that took [ps]; at most 0 where it tells nothing
    ("since", "i8"),  # when the arrivals began to be counted
    ("sample_rtt", "i8"),  # round trip of the newest segment; -1 where it was sent twice; also with hystart
    ("limited", "i8"),  # whether its sender was without data
    ("lost", "i8"),  # segments newly marked as lost
    ("sent_flight", "i8"),  # segments in flight once the newest one had been sent
    ("since_losses", "i8"),
    ("since_marked", "i8"),  # segments lost, and arrivals reported as marked, since then
    ("echo", "i8"),  # whether this acknowledgement reports a mark
    # of one segment that is found lost: in flight once it had been sent; lost since, itself included, or 0 where only
    # the probe of a lost tail shows that one was; whether its sender was without data
    ("lost_flight", "i8"),
    ("lost_since", "i8"),
    ("lost_limited", "i8"),
    ("handshake", "i8"),  # round trip known before any data; 0 for none
    ("autosize", "i8"),  # whether bursts are as long as the pacing rate makes them
    ("payload", "i8"),  # bytes in a full segment
    ("hystart", "i8"),  # how slow start ends before a loss; see footroom.parts.congestion.hystart
    ("paced", "i8"),  # whether the host paces what its window lets out
    ("telemetry", "i8"),  # address of what switches wrote into the packet; 0 for nothing
    ("probe", "i8"),  # whether a probe brought it back, not an acknowledgement
    ("tcp", "i8"),  # at the start: whether it runs over TCP
    ("hops", "i8"),  # at the start: switches on the path
    ("base_rtt", "i8"),  # at the start: the longest round trip in the network without queueing
)
